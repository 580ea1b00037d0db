import assert from "node:assert/strict";
import { newNetwork } from "@/tests/support/network";
import type { Act } from "./household";

export const askWhoIAm: Act = async ({ client, owner, keys, maybe, document }) => {
  const { body } = await client.ask("/me", 200, { auth: owner.token });
  assert.deepEqual([body?.username, body?.role], [owner.username, "user"]);
  const counted = Number(body?.keys);
  assert.ok(
    counted >= keys.size && counted <= keys.size + maybe.size,
    `/me counts ${counted} keys where there are ${keys.size}`,
  );
  const entries = document === null ? 0 : JSON.parse(document).length / 14;
  assert.deepEqual(body?.files, { entries, bytes: Buffer.byteLength(document ?? "") });
};

export const rotateToken: Act = async ({ client, operator, owner }) => {
  const old = owner.token;
  owner.token = await operator.tell("rotateToken", owner.id);
  const asking = { network: newNetwork().id };
  const { body } = await client.ask("/me", [401, "invalid_token"], { auth: old }, asking);
  assert.match(String(body?.error), /Invalid/);
  await client.ask("/me", 200, { auth: owner.token }, asking);
};

/** An account that is disabled is refused everywhere, and has all again when it is enabled. */
export const disableAndEnable: Act = async ({ client, operator, friend }) => {
  await operator.tell("setDisabled", friend.username, true);
  for (const route of ["/me", "/keys/mine", "/read-files"])
    await client.ask(route, [403, "account_disabled"], { auth: friend.token });
  await operator.tell("setDisabled", friend.username, false);
  await client.ask("/me", 200, { auth: friend.token });
};

export const askWhetherItLives: Act = async ({ client }) => {
  await client.ask("/health", 200);
  const { body } = await client.ask("/openapi.json", 200);
  assert.equal(body?.openapi, "3.1.0");
};

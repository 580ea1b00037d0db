import assert from "node:assert/strict";
import { newNetwork } from "@/tests/support/network";
import type { Answer } from "@/tests/support/request";
import { postPassword } from "@/tests/support/sign-in";
import { anyOf } from "./chance";
import * as files from "./files";
import type { Act, Household } from "./household";
import * as keys from "./keys";
import { link } from "./links";
import * as refusals from "./refusals";

export interface Deed {
  /** As it stands in the report. */
  name: string;
  /** How often it is done, relative to the others. */
  weight: number;
  act: Act;
}

const askWhoIAm: Act = async ({ client, owner, keys, maybe, document }) => {
  const { body } = await client.ask("/me", 200, { auth: owner.token });
  assert.deepEqual([body?.username, body?.role], [owner.username, "user"]);
  const counted = Number(body?.keys);
  const isRight = counted >= keys.size && counted <= keys.size + maybe.size;
  assert.ok(isRight, `/me counts ${counted} keys where there are ${keys.size}`);
  const entries = document === null ? 0 : JSON.parse(document).length / 14;
  assert.deepEqual(body?.files, { entries, bytes: Buffer.byteLength(document ?? "") });
};

const rotateToken: Act = async ({ client, operator, owner }) => {
  const old = owner.token;
  owner.token = await operator.tell("rotateToken", owner.id);
  const asking = { network: newNetwork().id };
  await client.ask("/me", [401, "invalid_token"], { auth: old }, asking);
  await client.ask("/me", 200, { auth: owner.token }, asking);
};

/** An account that is disabled is refused everywhere, and has all again when it is enabled. */
const disableAndEnable: Act = async ({ client, operator, friend }) => {
  await operator.tell("setDisabled", friend.username, true);
  for (const route of ["/me", "/keys/mine", "/read-files"])
    await client.ask(route, [403, "account_disabled"], { auth: friend.token });
  await operator.tell("setDisabled", friend.username, false);
  await client.ask("/me", 200, { auth: friend.token });
};

const askWhetherItLives: Act = async ({ client }) => {
  await client.ask("/health", 200);
  assert.equal((await client.ask("/openapi.json", 200)).body?.openapi, "3.1.0");
};

function checkPage({ status, headers, text }: Answer, { token }: { token: string }, expected = 200): void {
  assert.equal(status, expected, text.slice(0, 300));
  assert.match(String(headers["content-type"]), /^text\/html/);
  assert.match(String(headers["content-security-policy"]), /nonce-/);
  assert.match(text, /<\/html>\s*$/, "the page is whole");
  assert.ok(!text.includes(token), "a page shows no token");
}

const visit: Act = async ({ client, owner }) => {
  const path = anyOf(["/", "/signin", "/signup", "/link", "/docs", "/link?code=QXQXQX"]);
  checkPage(await client.send("(page)", path), owner);
  // To a program the same address answers JSON.
  checkPage(await client.send("(page)", "/nothing-here", { headers: { Accept: "text/html" } }), owner, 404);
};

/** Pages of somebody who is signed in name the person, and hold neither the token nor a key's data until asked to. */
const visitSignedIn: Act = async (home) => {
  const { client, owner } = home;
  owner.cookies ??= await signIn(home, owner.password);
  const path = anyOf(["/", "/keys", "/account", "/link"]);
  const answer = await client.send("(page)", path, { headers: { Cookie: owner.cookies } });
  checkPage(answer, owner);
  assert.ok(answer.text.includes(owner.username), `${path} names who is signed in`);
  for (const { data } of home.keys.values())
    assert.ok(data.length < 12 || !answer.text.includes(data), "a page shows no key's data");
};

async function signIn({ client, owner }: Household, password: string, expected = 200): Promise<string> {
  const { cookies, status } = await postPassword(client.origin, owner.username, password, client.network);
  assert.deepEqual([status, cookies.includes("session-token")], [expected, expected === 200]);
  return cookies;
}

/** A wrong password opens no session. */
const signInAnew: Act = async (home) => {
  await signIn(home, "wrong", 401);
  home.owner.cookies = await signIn(home, home.owner.password);
};

/** Everything that is done in a soak. */
export const ACTS: Deed[] = [
  { name: "create a key", weight: 12, act: keys.create },
  { name: "read a key", weight: 24, act: keys.read },
  { name: "list keys", weight: 6, act: keys.list },
  { name: "list keys by pages", weight: 3, act: keys.listByPages },
  { name: "check a holder", weight: 8, act: keys.check },
  { name: "share a key", weight: 6, act: keys.share },
  { name: "revoke a key", weight: 4, act: keys.revoke },
  { name: "update a key", weight: 10, act: keys.update },
  { name: "delete a key", weight: 4, act: keys.remove },
  { name: "break off a create", weight: 2, act: keys.createAndGoAway },
  { name: "link", weight: 9, act: link },
  { name: "store files", weight: 2, act: files.storeFiles },
  { name: "read files", weight: 6, act: files.readFiles },
  { name: "resume a download", weight: 3, act: files.resumeFiles },
  { name: "read files slowly", weight: 1, act: files.readFilesSlowly },
  { name: "break off a download", weight: 4, act: files.breakOffReading },
  { name: "ask who I am", weight: 6, act: askWhoIAm },
  { name: "rotate the token", weight: 1, act: rotateToken },
  { name: "disable and enable", weight: 1, act: disableAndEnable },
  { name: "ask whether it lives", weight: 2, act: askWhetherItLives },
  { name: "send a bad address", weight: 10, act: refusals.sendBadAddress },
  { name: "overreach", weight: 4, act: refusals.overreach },
  { name: "guess codes", weight: 1, act: refusals.guessCodes },
  { name: "guess tokens", weight: 1, act: refusals.guessTokens },
  { name: "visit a page", weight: 4, act: visit },
  { name: "visit a page signed in", weight: 4, act: visitSignedIn },
  { name: "sign in anew", weight: 1, act: signInAnew },
];

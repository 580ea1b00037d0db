import assert from "node:assert/strict";
import { newNetwork } from "@/tests/support/network";
import { anyOf, random } from "./chance";
import { checkNotLinked } from "./client";
import type { Act } from "./household";

/** A program is linked, in one of the ways in which that can go. */
export const link: Act = async ({ client, operator, owner }) => {
  const [network, elsewhere] = [newNetwork().id, newNetwork().id];
  const { body, headers } = await client.ask("/link/code", 200, {}, { network });
  const code = String(body?.code);
  assert.match(code, /^[A-HJ-NP-Z]{6}$/);
  assert.equal(headers.link, `<${client.origin}/link?code=${code}>; rel="verification"`);
  assert.deepEqual([headers["link-expires-in"], Number(headers["link-interval"]) > 0], ["600", true]);

  const pollInVain = async (from: string) => {
    const query = { code: random(2) ? code : code.toLowerCase() };
    checkNotLinked(await client.send("/link/user", "/link/user", { query, network: from }));
  };
  const collect = async (from: string) => {
    const collected = await client.ask("/link/user", 200, { code }, { network: from });
    assert.deepEqual(collected.body, { linked: true, token: owner.token });
  };
  const approve = () => operator.tell("approve", owner.id, code, client.network);

  for (let polls = random(3); polls >= 0; polls--) await pollInVain(network);
  await anyOf<() => Promise<unknown>>([
    async () => {
      await approve();
      await collect(network);
      await collect(network);
      await pollInVain(elsewhere);
    },
    // The program goes to another network.
    async () => {
      await approve();
      await pollInVain(elsewhere);
      await operator.tell("allow", owner.id, code, elsewhere);
      await collect(elsewhere);
      await pollInVain(network);
    },
    // A stranger who knows the code before it was approved must not collect it after.
    async () => {
      await pollInVain(elsewhere);
      await approve();
      await pollInVain(elsewhere);
      await collect(network);
    },
    async () => {
      await operator.tell("deny", owner.id, code, client.network);
      await pollInVain(network);
    },
    // A token that was replaced after the approval is not handed out.
    async () => {
      await approve();
      owner.token = await operator.tell("rotateToken", owner.id);
      await pollInVain(network);
    },
    // Left to expire.
    async () => {},
  ])();
};

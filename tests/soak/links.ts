import assert from "node:assert/strict";
import { newNetwork } from "@/tests/support/network";
import type { Answer } from "@/tests/support/request";
import { checkNotLinked } from "./client";
import { type Act, type Household, random } from "./household";

/** A code that a program asks for, from a network of its own. */
async function askForCode({ client }: Household): Promise<{ code: string; network: string }> {
  const network = newNetwork().id;
  const { body, headers } = await client.ask("/link/code", 200, {}, { network });
  const code = String(body?.code);
  assert.match(code, /^[A-HJ-NP-Z]{6}$/);
  assert.equal(headers.link, `<${client.origin}/link?code=${code}>; rel="verification"`);
  assert.deepEqual([headers["link-expires-in"], Number(headers["link-interval"]) > 0], ["600", true]);
  return { code, network };
}

const poll = ({ client }: Household, code: string, network: string): Promise<Answer> =>
  client.send("/link/user", "/link/user", { query: { code: random(2) ? code : code.toLowerCase() }, network });

async function collect({ client, owner }: Household, code: string, network: string): Promise<void> {
  const { body } = await client.ask("/link/user", 200, { code }, { network });
  assert.deepEqual(body, { linked: true, token: owner.token });
}

export const link: Act = async (home) => {
  const { code, network } = await askForCode(home);
  for (let polls = random(3); polls >= 0; polls--) checkNotLinked(await poll(home, code, network));
  await home.operator.tell("approve", home.owner.id, code, home.client.network);
  await collect(home, code, network);
  await collect(home, code, network);
  checkNotLinked(await poll(home, code, newNetwork().id));
};

export const linkFromAnotherNetwork: Act = async (home) => {
  const { code, network } = await askForCode(home);
  await home.operator.tell("approve", home.owner.id, code, home.client.network);
  const moved = newNetwork().id;
  checkNotLinked(await poll(home, code, moved));
  await home.operator.tell("allow", home.owner.id, code, moved);
  await collect(home, code, moved);
  checkNotLinked(await poll(home, code, network));
};

/** A stranger who knows the code before it was approved must not collect it after. */
export const linkBesideAStranger: Act = async (home) => {
  const { code, network } = await askForCode(home);
  const stranger = newNetwork().id;
  checkNotLinked(await poll(home, code, stranger));
  await home.operator.tell("approve", home.owner.id, code, home.client.network);
  checkNotLinked(await poll(home, code, stranger));
  await collect(home, code, network);
};

export const denyLink: Act = async (home) => {
  const { code, network } = await askForCode(home);
  await home.operator.tell("deny", home.owner.id, code, home.client.network);
  checkNotLinked(await poll(home, code, network));
};

/** A token that was replaced after the approval is not handed out. */
export const linkAndRotate: Act = async (home) => {
  const { code, network } = await askForCode(home);
  await home.operator.tell("approve", home.owner.id, code, home.client.network);
  home.owner.token = await home.operator.tell("rotateToken", home.owner.id);
  checkNotLinked(await poll(home, code, network));
};

/** A code that nobody approves, left to expire. */
export const abandonLink: Act = async (home) => {
  const { code, network } = await askForCode(home);
  checkNotLinked(await poll(home, code, network));
};

import { expect, it } from "vitest";
import { createToken } from "@/lib/access-tokens/create";
import { findTokenCaller } from "@/lib/access-tokens/find";
import { tokensOf } from "@/lib/access-tokens/list";
import { removeToken } from "@/lib/access-tokens/remove";
import { rotateToken } from "@/lib/auth/rotate-token";
import { askForCode } from "@/lib/link/ask";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { newNetwork } from "@/tests/support/network";
import { sized } from "@/tests/support/size";
import { makeUser, type TestUser } from "@/tests/support/user";
import { at, collect, PROGRAM } from "./flow";

const ROUNDS = sized(10, 50);
const eachRound = (name: string, round: (user: TestUser, n: number) => Promise<void>) =>
  it(name, async () => {
    const user = await makeUser();
    for (let n = 0; n < ROUNDS; n++) await round(user, n);
  });

async function asked() {
  const network = newNetwork();
  const { code, id } = await askForCode({ network, program: PROGRAM, webPage: null }, at(0), { access: "read" });
  return { network, code, id };
}

const works = (token: string) =>
  findTokenCaller(token, at(3)).then(
    () => true,
    () => false,
  );

eachRound("a token that is removed while it is used works before, and never after", async (user, n) => {
  const { id, token } = await createToken(user.id, `Tool ${n}`, { access: "read", days: null });
  let isRemoved = false;
  const use = async () => {
    for (;;) {
      const wasRemoved = isRemoved;
      const worked = await works(token);
      if (!wasRemoved) continue;
      expect(worked).toBe(false);
      return;
    }
  };
  const uses = Array.from({ length: 5 }, use);
  await removeToken(user.id, { id });
  isRemoved = true;
  await Promise.all(uses);
  expect(await works(token)).toBe(false);
});

eachRound("of approving and denying at once, one wins: a denied program leaves no token", async (user, n) => {
  const { network, code, id } = await asked();
  const decisions = [approveRequest, denyRequest].map((decide) => decide({ id: user.id, network }, id, at(1)));
  const [approval] = await Promise.allSettled(n % 2 === 0 ? decisions : decisions.reverse());
  const isApproved = (approval?.status === "fulfilled") === (n % 2 === 0);
  const collected = await collect(code, network, at(2));
  expect(collected !== null).toBe(isApproved);
  const tokens = await tokensOf(user.id);
  expect(tokens).toHaveLength(isApproved ? 1 : 0);
  for (const token of tokens) await removeToken(user.id, { id: token.id });
});

eachRound("all who collect at once get the one token", async (user) => {
  const { network, code, id } = await asked();
  await approveRequest({ id: user.id, network }, id, at(1));
  const answers = await Promise.all(Array.from({ length: 10 }, () => collect(code, network, at(2))));
  expect(new Set(answers.map((answer) => answer?.token)).size).toBe(1);
  expect(await works(String(answers[0]?.token))).toBe(true);
  expect(await tokensOf(user.id)).toHaveLength(1);
  for (const token of await tokensOf(user.id)) await removeToken(user.id, { id: token.id });
});

eachRound("rotating the account's token at the same time harms neither approval nor collecting", async (user) => {
  const { network, code, id } = await asked();
  await Promise.all([approveRequest({ id: user.id, network }, id, at(1)), rotateToken(user.id)]);
  const [collected] = await Promise.all([collect(code, network, at(2)), rotateToken(user.id)]);
  expect(await works(String(collected?.token))).toBe(true);
});

eachRound("a token that is removed while it is collected does not work, whoever was first", async (user) => {
  const { network, code, id } = await asked();
  await approveRequest({ id: user.id, network }, id, at(1));
  const [token] = await tokensOf(user.id);
  const [collected] = await Promise.all([
    collect(code, network, at(2)),
    removeToken(user.id, { id: String(token?.id) }),
  ]);
  if (collected) expect(await works(collected.token)).toBe(false);
  expect(await collect(code, network, at(3))).toBeNull();
  expect(await tokensOf(user.id)).toEqual([]);
});

eachRound(
  "a program that collects while it is approved and denied gets a token only if it was approved",
  async (user) => {
    const { network, code, id } = await asked();
    const [early, approval] = await Promise.all([
      collect(code, network, at(2)),
      Promise.allSettled([approveRequest({ id: user.id, network }, id, at(1))]),
      Promise.allSettled([denyRequest({ id: user.id, network }, id, at(1))]),
    ]);
    const late = await collect(code, network, at(2));
    expect(late !== null).toBe(approval[0].status === "fulfilled");
    if (early) expect(early).toEqual(late);
    for (const token of await tokensOf(user.id)) await removeToken(user.id, { id: token.id });
  },
);

eachRound("a token works to the last millisecond before its end, and not in that of its end", async (user, n) => {
  const { id, token, expiresAt } = await createToken(user.id, `Tool ${n}`, { access: "read", days: 1 });
  const end = expiresAt?.getTime() ?? 0;
  const worksAt = (time: number) =>
    findTokenCaller(token, new Date(time)).then(
      () => true,
      () => false,
    );
  expect(await Promise.all([-2, -1, 0, 1].map((ms) => worksAt(end + ms)))).toEqual([true, true, false, false]);
  await removeToken(user.id, { id });
});

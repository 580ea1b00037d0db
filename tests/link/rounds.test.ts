import { beforeAll, describe, expect, inject, it } from "vitest";
import { allowProgram } from "@/lib/link/allow";
import { approveRequest } from "@/lib/link/decide";
import { viewRequest } from "@/lib/link/view";
import { type Network, networkBehind } from "@/lib/network";
import { unlessLimited } from "@/scripts/link-odds/unless-limited";
import { ask, at, type Beside, collect, enter, neverGiven, PROGRAM, START } from "@/tests/link/flow";
import { newNetwork } from "@/tests/support/network";
import { sized } from "@/tests/support/size";
import { makeUser, type TestUser } from "@/tests/support/user";

// A test on PostgreSQL takes five times as long, and what it shows is the same.
const ROUNDS = sized(40, inject("database").kind === "sqlite" ? 1_000 : 200);
const TIMEOUT = 900_000;
const AT_ONCE = 10;

let owner: TestUser;
let attacker: TestUser;
beforeAll(async () => {
  [owner, attacker] = [await makeUser(), await makeUser()];
});

/** Runs the rounds, some of them at once, and counts those that were answered with a token. */
async function tokens(round: (n: number) => Promise<unknown[]>): Promise<number> {
  let count = 0;
  for (let n = 0; n < ROUNDS; n += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => round(n + index)));
    count += answers.flat().filter((answer) => answer !== null).length;
  }
  return count;
}

const tried = (code: string, network: Network, seconds: number, beside?: Beside) =>
  unlessLimited(collect(code, network, at(seconds), beside));
const approve = (id: string, network: Network, seconds: number) =>
  approveRequest({ id: owner.id, network }, id, at(seconds));
const allow = (id: string, { id: network }: Network, seconds: number) =>
  allowProgram(owner.id, id, { network, webPage: "" }, at(seconds));
const expectToken = (answer: unknown) => expect(answer).toEqual({ token: owner.token });

describe("nothing is gained in many rounds", { timeout: TIMEOUT }, () => {
  it(
    "by an onlooker, who enters the letters in an account of his own, watches, and asks first, in every " + "order",
    async () => {
      const got = await tokens(async (n) => {
        const [home, elsewhere] = [newNetwork(), newNetwork()];
        const { code, id } = await ask(home);
        const steps = [
          () => enter(attacker, code, at(1), elsewhere).then(() => null),
          () => tried(code, elsewhere, 2),
          () => approve(id, home, 3).then(() => null),
          () =>
            viewRequest({ id: attacker.id, network: elsewhere }, id, at(4)).then((seen) =>
              seen?.state === "pending" ? null : seen,
            ),
        ];
        const answers: unknown[] = [];
        for (let step = 0; step < steps.length; step++) answers.push(await steps[(step + n) % steps.length]?.());
        answers.push(
          ...(await Promise.all([
            tried(code, elsewhere, 5),
            tried(code, elsewhere, 5, { secret: "guess" }),
            tried(code, elsewhere, 5, { program: "" }),
          ])),
        );
        expectToken(await collect(code, home, at(6)));
        answers.push(await tried(code, elsewhere, 7));
        return answers;
      });
      expect(got).toBe(0);
    },
  );

  it(
    "by a forger, who comes through proxies that nobody configured, with every spelling of the network " + "that asked",
    async () => {
      const got = await tokens(async (n) => {
        const home = n % 2 ? newNetwork() : networkBehind(newNetwork().id);
        const { code, id } = await ask(home);
        await approve(id, home, 1);
        const forged: Network[] = [
          networkBehind(),
          networkBehind(home.id),
          { id: home.id, kind: "shared" },
          { id: `${home.id} `, kind: "remote" },
          newNetwork(),
        ];
        return Promise.all(forged.map((network) => tried(code, network, 2)));
      });
      expect(got).toBe(0);
    },
  );

  it(
    "by an insider, who does not know the letters and guesses past his limit, with any name for his " + "program",
    async () => {
      const home = newNetwork();
      for (let count = 0; count < 40; count++) await tried(neverGiven(), home, 0);
      const got = await tokens(async (n) => {
        const { code, id, secret } = (await unlessLimited(ask(n % 2 ? home : newNetwork(), START))) ?? (await ask());
        await approve(id, home, 1);
        const answers = await Promise.all([
          tried(code, home, 2, { program: PROGRAM }),
          tried(code, home, 2, { program: `guesser/${n}` }),
          tried(code, home, 2, { webPage: "https://guess.example" }),
          tried(neverGiven(), home, 2),
        ]);
        expectToken(await collect(code, newNetwork(), at(3), { secret }));
        return answers;
      });
      expect(got).toBe(0);
    },
  );
});

describe("nothing is lost in many rounds", { timeout: TIMEOUT }, () => {
  it(
    "by honest programs over changing networks: all get their token, with one press where the network " + "changed",
    async () => {
      let presses = 0;
      const got = await tokens(async (n) => {
        const [home, moved] = [newNetwork(), newNetwork()];
        const carrier = n % 4 === 3;
        const { code, id, secret } = await ask(home);
        const proof = n % 2 ? { secret } : {};
        // The network changes never, before the first question, after the approval, or with each request.
        await tried(code, n % 4 === 1 || carrier ? newNetwork() : home, 1, proof);
        await approve(id, newNetwork(), 2);
        const last = n % 4 === 0 && n % 8 === 0 ? home : moved;
        const answer = await tried(code, last, 3, proof);
        if (answer) return [answer];
        presses++;
        const wanting = (await viewRequest({ id: owner.id, network: home }, id, at(4)))?.onlookers?.wanting ?? [];
        expect(wanting.map(({ network }) => network)).toContain(last.id);
        await allow(id, last, 4);
        return [await tried(code, last, 5, proof)];
      });
      expect(got).toBe(ROUNDS);
      // A half sends the secret, and of the others one in four has stayed where it was.
      expect(presses).toBe((ROUNDS / 2) * (3 / 4));
    },
  );
});

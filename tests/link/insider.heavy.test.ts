import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { allowProgram } from "@/lib/link/allow";
import { approveRequest } from "@/lib/link/decide";
import { viewRequest } from "@/lib/link/view";
import type { Network } from "@/lib/network";
import { ask, at, collect, neverGiven } from "@/tests/link/flow";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";

// Somebody in the network of an honest program guesses codes, as fast as he is answered.

type Answer = "nothing" | "token" | "limited";

async function guess(code: string, network: Network, program = "guesser/1.0"): Promise<Answer> {
  try {
    return (await collect(code, network, at(1), { program })) ? "token" : "nothing";
  } catch (error) {
    expect(error).toMatchObject({ status: 429, code: "rate_limited" });
    return "limited";
  }
}

async function burn(network: Network, program?: string): Promise<void> {
  for (let count = 0; count < 31; count++) await guess(neverGiven(), network, program);
}

describe("beyond the limit", () => {
  it("a pending or approved code of the same network is answered like one that does not exist", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const [pending, ready] = [await ask(network), await ask(network)];
    await approveRequest({ id: user.id, network }, ready.id, at(0));
    await burn(network);
    expect(await guess(pending.code, network)).toBe("limited");
    expect(await guess(ready.code, network)).toBe("limited");
    expect(await guess(neverGiven(), network)).toBe("limited");
    expect(await db.linkCode.findUniqueOrThrow({ where: { id: ready.id } })).toMatchObject({ status: "approved" });
  });

  it("so is one that the neighbour's program asked for before; that program loses nothing but a press", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const { code, id } = await ask(network);
    expect(await collect(code, network, at(1))).toBeNull();
    await burn(network);
    for (let count = 0; count < 1_000; count++) await guess(neverGiven(), network, `guesser/${count % 40}`);
    const refusal = (letters: string) =>
      collect(letters, network, at(1)).catch(({ status, code: reason, message, headers }) => ({
        status,
        reason,
        message,
        headers,
      }));
    expect(await refusal(code)).toEqual(await refusal(neverGiven()));
    await approveRequest({ id: user.id, network }, id, at(2));
    expect(await refusal(code)).toEqual(await refusal(neverGiven()));
    const seen = await viewRequest({ id: user.id, network }, id, at(3));
    expect(seen?.onlookers?.wanting).toMatchObject([
      { network: network.id, webPage: "", isYours: true, isAllowed: false },
    ]);
    await allowProgram(user.id, id, { network: network.id, webPage: "" }, at(4));
    expect(await collect(code, network, at(5))).toEqual({ token: user.token });
  });

  it("a program that sends its secret is never limited and needs no press", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const { code, id, secret } = await ask(network);
    await burn(network);
    for (let count = 0; count < 50; count++) await guess(neverGiven(), network);
    expect(await collect(code, network, at(1), { secret })).toBeNull();
    await approveRequest({ id: user.id, network }, id, at(2));
    expect(await collect(code, network, at(3), { secret })).toEqual({ token: user.token });
  });

  it("the neighbours of a network that only mistyped once too often collect at once", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const { code, id } = await ask(network);
    expect(await collect(code, network, at(1))).toBeNull();
    await burn(network);
    await approveRequest({ id: user.id, network }, id, at(2));
    expect(await collect(code, network, at(3))).toEqual({ token: user.token });
  });

  it("a program that asks again and again for its one new code does not spend those of its neighbours", async () => {
    const network = newNetwork();
    const [asked, fresh] = [await ask(network), await ask(network)];
    expect(await collect(asked.code, network, at(1))).toBeNull();
    await burn(network);
    for (let count = 0; count < 40; count++) expect(await guess(fresh.code, network, "curl/8.5.0")).toBe("limited");
    expect(await guess(asked.code, network, "curl/8.5.0")).toBe("nothing");
  });
});

describe("before the limit", () => {
  it("a network's own programs cost it nothing: 60 of them link at once, and 30 guesses are left", async () => {
    const network = newNetwork();
    for (let count = 0; count < 60; count++) {
      const { code } = await ask(network);
      expect(await guess(code, network, "a-class-of-pupils/1.0")).toBe("nothing");
    }
    for (let count = 0; count < 30; count++) expect(await guess(neverGiven(), network)).toBe("nothing");
    expect(await guess(neverGiven(), network)).toBe("limited");
  });

  it("asking for codes buys no guesses", async () => {
    const network = newNetwork();
    for (let count = 0; count < 50; count++) await ask(network);
    const answers: Answer[] = [];
    for (let count = 0; count < 60; count++) answers.push(await guess(neverGiven(), network));
    expect(answers.filter((answer) => answer === "nothing")).toHaveLength(30);
  });

  it("concurrently, no more are checked than one after another", async () => {
    const network = newNetwork();
    const answers = await Promise.all(Array.from({ length: 300 }, () => guess(neverGiven(), network)));
    expect(answers.filter((answer) => answer === "nothing")).toHaveLength(30);
  });
});

describe("letters that were asked for before they were given out", () => {
  it(
    "are not collected at once: who asked for them may be a guesser who waits; the person's press is " + "enough",
    async () => {
      const network = newNetwork();
      const user = await makeUser();
      const { code, id } = await ask(network);
      expect(await guess(code, network)).toBe("nothing");
      // As if the letters had been given out, to a neighbour, after the guesser asked for them.
      const givenOut = new Date(Date.now() + 5_000);
      await db.linkCode.update({ where: { id }, data: { createdAt: givenOut } });
      await approveRequest({ id: user.id, network }, id, at(1));
      for (let count = 0; count < 5; count++) expect(await guess(code, network)).toBe("nothing");
      expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "approved" });
      await db.linkQuestion.updateMany({ where: { network: network.id }, data: { at: givenOut } });
      const seen = await viewRequest({ id: user.id, network }, id, at(2));
      expect(seen?.onlookers?.wanting).toMatchObject([{ network: network.id, isYours: true }]);
      await allowProgram(user.id, id, { network: network.id, webPage: "" }, at(3));
      expect(await collect(code, network, at(4))).toEqual({ token: user.token });
    },
  );

  it("that were first asked for after they were given out are collected at once", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const now = new Date();
    const { code, id } = await ask(network, now);
    expect(await collect(code, network, now)).toBeNull();
    await approveRequest({ id: user.id, network }, id, now);
    expect(await collect(code, network, now)).toEqual({ token: user.token });
  });
});

describe("no way of asking gets more codes judged", () => {
  const codes = Array.from({ length: 1_000 }, neverGiven);
  const judged = (answers: Answer[]) => answers.filter((answer) => answer === "nothing").length;

  it("1,000 at once, in alternating case, with wrong secrets, as web pages: 30", async () => {
    const network = newNetwork();
    const answers = await Promise.all(
      codes.map((code, n) =>
        collect(n % 2 ? code.toLowerCase() : code, network, at(1), {
          program: `guesser/${n}`,
          secret: n % 3 ? "wrong" : null,
          webPage: n % 5 ? null : `https://p${n}.example`,
        }).then<Answer, Answer>(
          () => "nothing",
          () => "limited",
        ),
      ),
    );
    expect(judged(answers)).toBe(30);
  });

  it("one code in both cases and with any secret counts once", async () => {
    const network = newNetwork();
    for (let n = 0; n < 40; n++)
      expect(await collect(n % 2 ? "QZQZQX" : "qzQzqx", network, at(1), { secret: n % 3 ? `${n}` : null })).toBeNull();
    expect(judged(await Promise.all(codes.slice(0, 60).map((code) => guess(code, network))))).toBe(29);
  });

  it(
    "nor does asking again when a code was given out: 50 codes of one's own, first asked for at once, " + "leave 30",
    async () => {
      const network = newNetwork();
      const own = await Promise.all(Array.from({ length: 20 }, () => ask(network)));
      await Promise.all(
        own.flatMap(({ code }) => [guess(code, network), guess(code.toLowerCase(), network), guess(code, network)]),
      );
      expect(judged(await Promise.all(codes.slice(0, 100).map((code) => guess(code, network))))).toBe(30);
    },
  );
});

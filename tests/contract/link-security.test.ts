import { describe, expect, inject, test } from "vitest";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";
import { expectError, expectNotLinked, expectSuccess } from "./answers";
import { allow, approve, differentLetters, newCode, newCodes, poll } from "./link";

const { knowsNetworks, eachUrl, isOneProcess } = inject("service");
const network = () => newNetwork().id;

describe("codes", () => {
  test("of 100, every two differ in two letters or more", async () => {
    const from = network();
    const codes = await Promise.all(Array.from({ length: 100 }, () => newCode(from)));
    const masks = codes.flatMap((code) =>
      [...code].map((_, index) => `${code.slice(0, index)}_${code.slice(index + 1)}`),
    );
    expect(new Set(masks).size).toBe(codes.length * 6);
  });

  test("are collected once, whoever asks at the same time", async () => {
    const user = await makeUser();
    const code = await newCode();
    await approve(code, user);
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(code)));
    for (const answer of answers) expect(expectSuccess(answer).body).toEqual({ linked: true, token: user.token });
  });
});

if (knowsNetworks) {
  describe("networks", () => {
    test("of 20 that ask for one code at once, only the one that the person allows gets the token", async () => {
      const [user, moved] = [await makeUser(), network()];
      const code = await newCode();
      await approve(code, user);
      const others = Array.from({ length: 20 }, network);
      for (const answer of await Promise.all([...others, moved].map((from) => poll(code, from))))
        expectNotLinked(answer);
      await allow(code, user, moved);
      const answers = await Promise.all([...others, moved].map((from) => poll(code, from)));
      expect(answers.map(({ status }) => status)).toEqual([...others.map(() => 404), 200]);
    });

    test("a stranger who polls before the approval gets nothing, and the program still does", async () => {
      const [user, program, stranger] = [await makeUser(), network(), network()];
      const code = await newCode(program);
      expectNotLinked(await poll(code, stranger));
      await approve(code, user);
      expectNotLinked(await poll(code, stranger));
      expectNotLinked(await poll(code, network()));
      expect((await poll(code, program)).body).toEqual({ linked: true, token: user.token });
    });

    test("after 30 codes of others, a network gets 429 for all but those that it asked for before", async () => {
      const [user, guesser] = [await makeUser(), network()];
      const [own = "", pending = "", unasked = ""] = await newCodes(3, guesser);
      for (const code of [own, pending]) expectNotLinked(await poll(code, guesser));
      const [beyond = "", ...others] = differentLetters(31);
      for (const code of [...others, ...others]) expectNotLinked(await poll(code, guesser));
      await approve(own, user);
      for (const code of [own.toLowerCase(), own, own])
        expect((await poll(code, guesser)).body).toEqual({ linked: true, token: user.token });
      // Nor is that success a reason to forget its guesses.
      const refused = expectNotLinked(await poll(beyond, guesser), 429);
      expect(refused.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
      expectNotLinked(await poll(unasked, guesser), 429);
      expectNotLinked(await poll(pending, guesser));
      expectNotLinked(await poll(beyond, network()));
    });

    test("a program may ask for its pending code 20 times a second", async () => {
      const program = network();
      const code = await newCode(program);
      const answers = await Promise.all(Array.from({ length: 20 }, () => poll(code, program)));
      for (const answer of answers) expectNotLinked(answer);
    });

    test("a network gets 300 codes in 30 seconds, and then 429", async () => {
      const from = network();
      const began = performance.now();
      const answers = await Promise.all(Array.from({ length: 305 }, () => ask("/link/code", { network: from })));
      // Of several processes, each may hold back 1 %.
      const heldBack = isOneProcess ? 0 : 3 * eachUrl.length;
      const codes = answers.filter(({ status }) => status === 200).length;
      // Where they take longer, the next 30 seconds have begun.
      expect(codes).toBeLessThanOrEqual(300 * Math.ceil((performance.now() - began) / 30_000));
      expect(codes).toBeGreaterThanOrEqual(300 - heldBack);
      for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 429, "rate_limited");
      await newCode(network());
    });
  });
} else {
  test("where nobody vouches for an address, guesses are not counted", async () => {
    for (const code of differentLetters(40)) expectNotLinked(await poll(code));
  });
}

import { expect, inject, test } from "vitest";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { expectNotLinked } from "./answers";
import { approve, differentLetters, newCodes, poll } from "./link";

const { knowsNetworks } = inject("service");
const network = () => newNetwork().id;

if (knowsNetworks) {
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
} else {
  test("where nobody vouches for an address, guesses are not counted", async () => {
    for (const code of differentLetters(40)) expectNotLinked(await poll(code));
  });
}

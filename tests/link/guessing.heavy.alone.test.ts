import { expect, it, vi } from "vitest";

// So few codes for all that a network's part of them is reached.
vi.hoisted(() => {
  process.env.LINK_OUTSTANDING_CODES = "640";
});

import type { Network } from "@/lib/network";
import { ask, at, collect, enter, neverGiven } from "@/tests/link/flow";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";

let blocks = 0;
/** The /64s of one /48, those of one /56 first. */
function block(): (n: number) => Network {
  const [a = "1", b = "1"] = newNetwork().id.split(".");
  const prefix = `2001:${(++blocks).toString(16)}:${Number(a).toString(16)}${Number(b).toString(16).padStart(2, "0")}`;
  return (n) => ({ id: `${prefix}:${n.toString(16)}::/64`, kind: "remote" });
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    ({ code }) => String(code),
  );

async function count(times: number, one: (n: number) => Promise<unknown>): Promise<number> {
  let answered = 0;
  for (let n = 0; n < times; n++) if ((await outcome(one(n))) === "answered") answered++;
  return answered;
}

it("a whole /48 guesses 16 times as much as one /64, a /56 four times", async () => {
  const from = block();
  const guess = (n: number) => collect(neverGiven(), from(n), at(1));
  expect(await count(300, (n) => guess(n % 256))).toBe(120);
  expect(await count(900, (n) => guess(256 + n * 256))).toBe(360);
  expect(await outcome(collect(neverGiven(), newNetwork(), at(1)))).toBe("answered");
});

it("what one /64 is refused does not spend what its neighbours in the /48 have", async () => {
  const from = block();
  expect(await count(700, () => collect(neverGiven(), from(0), at(1)))).toBe(30);
  expect(await count(31, () => collect(neverGiven(), from(1), at(1)))).toBe(30);
});

it("entries on the page are counted so too, whatever account enters them", async () => {
  const from = block();
  let judged = 0;
  for (let n = 0; n < 30; n++) {
    const user = await makeUser();
    for (let each = 0; each < 10; each++)
      if ((await outcome(enter(user, neverGiven(), at(1), from(n % 256)))) === "code_not_found") judged++;
  }
  expect(judged).toBe(80);
});

it("a network gets 1/64 of all codes, a /48 a quarter, and others still get theirs", async () => {
  const network = newNetwork();
  expect(await count(12, () => ask(network))).toBe(10);
  const from = block();
  expect(await count(200, (n) => ask(from(n * 256)))).toBe(160);
  expect(await count(10, () => ask(newNetwork()))).toBe(10);
});

import { expect, it, vi } from "vitest";

// Small limits, so that those of a whole /48 are reached soon: 16 times as many.
vi.hoisted(() => {
  process.env.LINK_FOREIGN_CODES_PER_10_MINUTES = "6";
  process.env.LINK_OUTSTANDING_CODES = "128";
});

import type { Network } from "@/lib/platform/network/network";
import { newNetwork } from "@/tests/support/request";
import { codeOf } from "@/tests/support/statements";
import { makeUsers } from "@/tests/support/user";
import { at, collect, enter, neverIssued, newRequest } from "./flow";

let blocks = 0;
function block(): (n: number) => Network {
  const [a = 1, b = 1] = newNetwork().id.split(".").map(Number);
  const prefix = `2001:${(++blocks).toString(16)}:${a.toString(16)}${b.toString(16).padStart(2, "0")}`;
  return (n) => ({ id: `${prefix}:${n.toString(16)}::/64`, kind: "remote" });
}

async function count(times: number, one: (n: number) => Promise<unknown>, wanted = "ok"): Promise<number> {
  let found = 0;
  for (let n = 0; n < times; n++) if ((await codeOf(one(n))) === wanted) found++;
  return found;
}

it("a whole /48 guesses 16 times as much as one /64, a /56 four times", async () => {
  const from = block();
  const guess = (n: number) => collect(neverIssued(), from(n), at(1));
  expect(await count(60, (n) => guess(n % 256))).toBe(24);
  expect(await count(150, (n) => guess(256 + n * 256))).toBe(72);
  expect(await codeOf(collect(neverIssued(), newNetwork(), at(1)))).toBe("ok");
});

it("what one /64 is refused does not spend what its neighbours in the /48 have", async () => {
  const from = block();
  expect(await count(150, () => collect(neverIssued(), from(0), at(1)))).toBe(6);
  expect(await count(7, () => collect(neverIssued(), from(1), at(1)))).toBe(6);
});

it("entries on the page are counted so too, whatever account enters them", async () => {
  const [from, users] = [block(), await makeUsers(30)];
  const guess = (n: number) => enter(users[n % 30] ?? { id: "" }, neverIssued(), at(1), from(n % 30));
  expect(await count(60, guess, "code_not_found")).toBe(16);
});

it("a network gets 1/64 of all codes, a /48 a quarter, and others still get theirs", async () => {
  const network = newNetwork();
  expect(await count(4, () => newRequest(network))).toBe(2);
  const from = block();
  expect(await count(50, (n) => newRequest(from(n * 256)))).toBe(32);
  expect(await count(10, () => newRequest(newNetwork()))).toBe(10);
});

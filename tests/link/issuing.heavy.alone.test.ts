import { describe, expect, it, vi } from "vitest";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { hashMasks } from "@/lib/link/hashes";
import { sweepLinks } from "@/lib/link/sweep";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";
import { ask, at, collect, enter, START } from "./flow";

// The dice alone are loaded here: first the letters that a test wants, then chance again, on as many faces as it says.
const dice = vi.hoisted(() => ({ next: [] as number[], faces: 24 }));
vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>();
  return {
    ...crypto,
    randomInt: (below: number) => dice.next.shift() ?? crypto.randomInt(Math.min(below, dice.faces)),
  };
});

/** The next draws give these codes, one after another. */
function load(...codes: string[]) {
  dice.next = codes.flatMap((code) => [...code].map((letter) => "ABCDEFGHJKLMNPQRSTUVWXYZ".indexOf(letter)));
}

function distance(one: string, other: string): number {
  return [...one].filter((letter, position) => letter !== other[position]).length;
}

/** Each test issues at times of its own, a year apart, so that the codes of one are no neighbours to another's. */
let years = 0;
const era = () => at(++years * 366 * 86_400);
const later = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1000);

describe("a new code", () => {
  it("is registered as pending, with six masks, and known for ten minutes", async () => {
    const network = newNetwork();
    const { code, expiresIn, interval, id } = await ask(network);
    expect(code).toMatch(/^[A-HJ-NP-Z]{6}$/);
    expect([expiresIn, interval]).toEqual([600, 2]);
    const row = await db.linkCode.findUniqueOrThrow({ where: { id }, include: { masks: true } });
    expect(row).toMatchObject({
      status: "pending",
      network: network.id,
      program: "curl/8.5.0",
      createdAt: START,
      expiresAt: at(600),
      userId: null,
    });
    expect(row.masks).toEqual({ linkId: id, ...hashMasks(code) });
    expect(await db.auditEvent.count({ where: { OR: [{ subjectId: id }, { network: network.id }] } })).toBe(0);
  });

  it("differs from every live one in two letters or more, though only 3 letters are in use", async () => {
    const now = era();
    dice.faces = 3;
    const codes: string[] = [];
    try {
      for (let round = 0; round < 8; round++) {
        const issued = await Promise.all(Array.from({ length: 8 }, () => ask(newNetwork(), now)));
        codes.push(...issued.map(({ code }) => code));
      }
    } finally {
      dice.faces = 24;
    }
    expect(codes).toHaveLength(64);
    for (const [index, code] of codes.entries())
      for (const other of codes.slice(index + 1)) expect(distance(code, other)).toBeGreaterThanOrEqual(2);
  });

  it("never overwrites another: a collision and a neighbour are drawn again", async () => {
    const now = era();
    load("KMTRWB");
    const first = await ask(newNetwork(), now);
    load("KMTRWB", "KMTRWC", "BMTRWB", "ZZYYQQ");
    const second = await ask(newNetwork(), now);
    expect([first.code, second.code]).toEqual(["KMTRWB", "ZZYYQQ"]);
    const user = await makeUser();
    expect(await enter(user, "KMTRWB", now)).toBe(first.id);
    expect(await db.linkMask.count({ where: { linkId: { in: [first.id, second.id] } } })).toBe(2);
  });

  it.each([
    ["denied", 0, "AA"],
    ["expired", 601, "BB"],
    ["approved, but never collected", 301, "CC"],
    ["collected", 11, "DD"],
  ])("may stand next to a dead one: %s", async (how, after, place) => {
    const [old, neighbour, other] = [`${place}VWXX`, `${place}VWXY`, `${place}ZZYY`];
    const now = era();
    const user = await makeUser();
    const network = newNetwork();
    load(old);
    const dead = await ask(network, now);
    if (how === "denied") await denyRequest({ id: user.id, network }, dead.id, now);
    else if (how !== "expired") await approveRequest({ id: user.id, network }, dead.id, now);
    // With its secret: it is given out in times to come, so without one its letters were asked for before that.
    if (how === "collected")
      expect(await collect(dead.code, network, now, { secret: dead.secret })).toEqual({ token: user.token });
    if (after > 0) {
      load(neighbour, other);
      expect((await ask(newNetwork(), later(now, after - 2))).code).toBe(other);
    }
    // The second attempt at it takes the dead masks away, the next one finds the place free.
    load(neighbour, neighbour, neighbour);
    expect((await ask(newNetwork(), later(now, after))).code).toBe(neighbour);
  });

  it("does not come again within 30 days, swept or not, and may after that", async () => {
    const now = era();
    const days = (count: number) => later(now, count * 86_400);
    load("RRSSTT");
    const first = await ask(newNetwork(), now);
    load("RRSSTT", "RRSSTT", "GGHHJJ");
    expect((await ask(newNetwork(), days(1))).code).toBe("GGHHJJ");
    await sweepLinks(days(29.9));
    load("RRSSTT", "RRSSTT", "UUVVWW");
    expect((await ask(newNetwork(), days(29.9))).code).toBe("UUVVWW");
    load("RRSSTT", "RRSSTT", "RRSSTT");
    const again = await ask(newNetwork(), days(31));
    expect(again.code).toBe("RRSSTT");
    expect(await enter(await makeUser(), "RRSSTT", days(31))).toBe(again.id);
    expect(await db.linkCode.findUnique({ where: { id: first.id } })).toBeNull();
  });

  it("is not given out early because its account was deleted", async () => {
    const now = era();
    const user = await makeUser();
    const network = newNetwork();
    load("QQRRSS");
    const first = await ask(network, now);
    await approveRequest({ id: user.id, network }, first.id, now);
    await db.user.delete({ where: { id: user.id } });
    load("QQRRSS", "QQRRSS", "PPNNMM");
    expect((await ask(newNetwork(), later(now, 86_400))).code).toBe("PPNNMM");
  });

  it("is refused with 503 when too many are outstanding, and given again once they expired", async () => {
    const now = era();
    const limit = env.LINK_OUTSTANDING_CODES;
    env.LINK_OUTSTANDING_CODES = 3;
    try {
      for (let count = 0; count < 3; count++) await ask(newNetwork(), now);
      await expect(ask(newNetwork(), now)).rejects.toMatchObject({
        status: 503,
        code: "unavailable",
        headers: { "Retry-After": expect.any(String) },
      });
      expect((await ask(newNetwork(), later(now, 601))).code).toHaveLength(6);
    } finally {
      env.LINK_OUTSTANDING_CODES = limit;
    }
  });

  it("is refused with 503 when every draw collides", async () => {
    const now = era();
    dice.faces = 1;
    try {
      await ask(newNetwork(), now);
      await expect(ask(newNetwork(), now)).rejects.toMatchObject({ status: 503, code: "unavailable" });
    } finally {
      dice.faces = 24;
    }
  });
});

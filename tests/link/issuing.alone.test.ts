import { describe, expect, it, vi } from "vitest";
import { approveRequest, denyRequest } from "@/lib/link/approve";
import { ALPHABET, hashMasks } from "@/lib/link/code";
import { sweepLinks } from "@/lib/link/sweep";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { at, collect, enter, newRequest, START } from "./flow";

// The dice alone are loaded here: first the letters that a test wants, then chance again, on as many faces as it says.
const dice = vi.hoisted(() => ({ next: [] as number[], faces: 24 }));
vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>();
  return {
    ...crypto,
    randomInt: (below: number) => dice.next.shift() ?? crypto.randomInt(Math.min(below, dice.faces)),
  };
});

function draw(time: Date, ...codes: string[]) {
  dice.next = codes.flatMap((code) => [...code].map((letter) => ALPHABET.indexOf(letter)));
  return newRequest(newNetwork(), time);
}

const distance = (one: string, other: string) => [...one].filter((letter, n) => letter !== other[n]).length;

/** Each test issues at times of its own, a year apart, so that the codes of one are no neighbours to another's. */
let years = 0;
const era = () => at(++years * 366 * 86_400);
const later = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1000);

describe("a new code", () => {
  it("is registered as pending, with six masks, and known for ten minutes", async () => {
    const network = newNetwork();
    const { code, expiresIn, interval, id } = await newRequest(network);
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
      for (let round = 0; round < 6; round++) {
        const issued = await Promise.all(Array.from({ length: 8 }, () => newRequest(newNetwork(), now)));
        codes.push(...issued.map(({ code }) => code));
      }
    } finally {
      dice.faces = 24;
    }
    for (const [index, code] of codes.entries())
      for (const other of codes.slice(index + 1)) expect(distance(code, other)).toBeGreaterThanOrEqual(2);
  });

  it("never overwrites another: a collision and a neighbour are drawn again", async () => {
    const now = era();
    const first = await draw(now, "KMTRWB");
    const second = await draw(now, "KMTRWB", "KMTRWC", "BMTRWB", "ZZYYQQ");
    expect([first.code, second.code]).toEqual(["KMTRWB", "ZZYYQQ"]);
    expect(await enter(await makeUser(), "KMTRWB", now)).toBe(first.id);
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
    const dead = await draw(now, old);
    const actor = { id: (await makeUser()).id, network: newNetwork() };
    if (how === "denied") await denyRequest(actor, dead.id, { now });
    else if (how !== "expired") await approveRequest(actor, dead.id, { now });
    // With its secret: it is given out in times to come, so without one its letters were asked for before that.
    if (how === "collected") expect(await collect(old, newNetwork(), now, { secret: dead.secret })).not.toBeNull();
    if (after > 0) expect((await draw(later(now, after - 2), neighbour, other)).code).toBe(other);
    // The second attempt at it takes the dead masks away, the next one finds the place free.
    expect((await draw(later(now, after), neighbour, neighbour, neighbour)).code).toBe(neighbour);
  });

  it("does not come again within 30 days, swept or not, and may after that", async () => {
    const now = era();
    const days = (count: number) => later(now, count * 86_400);
    const first = await draw(now, "RRSSTT");
    expect((await draw(days(1), "RRSSTT", "RRSSTT", "GGHHJJ")).code).toBe("GGHHJJ");
    await sweepLinks(days(29.9));
    expect((await draw(days(29.9), "RRSSTT", "RRSSTT", "UUVVWW")).code).toBe("UUVVWW");
    const again = await draw(days(31), "RRSSTT", "RRSSTT", "RRSSTT");
    expect(again.code).toBe("RRSSTT");
    expect(await enter(await makeUser(), "RRSSTT", days(31))).toBe(again.id);
    expect(await db.linkCode.findUnique({ where: { id: first.id } })).toBeNull();
  });

  it("is not given out early because its account was deleted", async () => {
    const [now, user] = [era(), await makeUser()];
    const first = await draw(now, "QQRRSS");
    await approveRequest({ id: user.id, network: newNetwork() }, first.id, { now });
    await db.user.delete({ where: { id: user.id } });
    expect((await draw(later(now, 86_400), "QQRRSS", "QQRRSS", "PPNNMM")).code).toBe("PPNNMM");
  });

  it("is refused with 503 when too many are outstanding, and given again once they expired", async () => {
    const now = era();
    const limit = env.LINK_OUTSTANDING_CODES;
    env.LINK_OUTSTANDING_CODES = 3;
    try {
      for (let count = 0; count < 3; count++) await newRequest(newNetwork(), now);
      await expect(newRequest(newNetwork(), now)).rejects.toMatchObject({
        status: 503,
        code: "unavailable",
        headers: { "Retry-After": expect.any(String) },
      });
      expect((await newRequest(newNetwork(), later(now, 601))).code).toHaveLength(6);
    } finally {
      env.LINK_OUTSTANDING_CODES = limit;
    }
  });

  it("is refused with 503 when every draw collides", async () => {
    const now = era();
    dice.faces = 1;
    try {
      await newRequest(newNetwork(), now);
      await expect(newRequest(newNetwork(), now)).rejects.toMatchObject({ status: 503, code: "unavailable" });
    } finally {
      dice.faces = 24;
    }
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import { makeUser } from "@/tests/support/user";

const ANY_TIME = {
  min: new Date("0001-01-01T00:00:00.000Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true,
};

describe("what is stored comes back", () => {
  test("times, to the millisecond, in model calls and in raw SQL", async () => {
    const { id } = await makeUser();
    const times = fc.date(ANY_TIME);
    await fc.assert(
      fc.asyncProperty(times, async (time) => {
        await db.user.update({ where: { id }, data: { disabledAt: time } });
        expect((await db.user.findUniqueOrThrow({ where: { id } })).disabledAt).toEqual(time);
        expect(await db.$queryRaw`SELECT "id" FROM "User" WHERE "id" = ${id} AND "disabledAt" = ${time}`).toEqual([
          { id },
        ]);
      }),
      {
        numRuns: 50,
        examples: [[new Date("2026-11-20T10:00:00.001Z")], [new Date(0)], [new Date("2038-01-19T03:14:08.999Z")]],
      },
    );
  });

  test("times in the order of time", async () => {
    const { id } = await makeUser();
    const at = [-1, 0, 1, 1_000, 2 ** 31 * 1_000].map((ms) => new Date(ms));
    const rows = [...at]
      .reverse()
      .map((expiresAt) => ({ id: newId(), userId: id, createdAt: expiresAt, expiresAt, userAgent: "" }));
    await db.session.createMany({ data: rows });
    const stored = await db.session.findMany({ where: { userId: id }, orderBy: { expiresAt: "asc" } });
    expect(stored.map(({ expiresAt }) => expiresAt)).toEqual(at);
    expect(await db.session.count({ where: { userId: id, expiresAt: { gt: new Date(0) } } })).toBe(3);
  });

  test("text of all of Unicode but U+0000 and lone surrogates", async () => {
    const { id } = await makeUser();
    const text = fc
      .string({ unit: "binary", maxLength: 200 })
      .filter((value) => !value.includes("\0") && value.isWellFormed());
    await fc.assert(
      fc.asyncProperty(text, async (role) => {
        await db.user.update({ where: { id }, data: { role } });
        expect((await db.user.findUniqueOrThrow({ where: { id } })).role).toBe(role);
      }),
      { numRuns: 100 },
    );
  });

  test("bytes and whole numbers beyond 32 bits", async () => {
    const { id: userId } = await makeUser();
    const [id, large] = [newId(), 2n ** 63n - 1n];
    const deflated = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await db.filePiece.create({
      data: { id, userId, position: -large, entries: 0, plainLength: 2 ** 31 - 1, deflatedLength: 256, crc: large },
    });
    await db.fileContent.create({ data: { pieceId: id, deflated } });
    const piece = await db.filePiece.findUniqueOrThrow({ where: { id }, include: { content: true } });
    expect(piece).toMatchObject({ position: -large, plainLength: 2 ** 31 - 1, crc: large, bornVersion: null });
    expect(Uint8Array.from(piece.content?.deflated ?? [])).toEqual(deflated);
    const [row] = await db.$queryRaw<
      { deflated: Uint8Array }[]
    >`SELECT "deflated" FROM "FileContent" WHERE "pieceId" = ${id}`;
    expect(Uint8Array.from(row?.deflated ?? [])).toEqual(deflated);
  });
});

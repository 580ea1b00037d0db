import { beforeAll, expect, test, vi } from "vitest";

const DAY_MS = 24 * 60 * 60 * 1000;
const later = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds);

beforeAll(() => {
  vi.stubEnv("TOKEN_IDLE_DAYS", "7");
  vi.resetModules();
});

test("with TOKEN_IDLE_DAYS, a token that nobody uses ends, and each use moves its end", async () => {
  const { createToken } = await import("@/lib/access-tokens/create");
  const { findTokenCaller } = await import("@/lib/access-tokens/find");
  const { tokensOf } = await import("@/lib/access-tokens/list");
  const { sweepTokens } = await import("@/lib/access-tokens/sweep");
  const { db } = await import("@/lib/db/client");
  const { makeUser } = await import("@/tests/support/user");

  const user = await makeUser();
  const start = new Date();
  const { token, id } = await createToken(user.id, "Tool", { access: "read", days: 30 }, user.id, start);
  expect(await tokensOf(user.id)).toMatchObject([{ endsAt: later(start, 7 * DAY_MS) }]);
  expect(await findTokenCaller(token, later(start, 7 * DAY_MS - 1))).toMatchObject({ id: user.id });
  await expect(findTokenCaller(token, later(start, 7 * DAY_MS))).rejects.toMatchObject({ code: "invalid_token" });

  const used = later(start, 6 * DAY_MS);
  await db.accessToken.update({ where: { id }, data: { usedAt: used } });
  expect(await findTokenCaller(token, later(start, 12 * DAY_MS))).toMatchObject({ id: user.id });
  await db.accessToken.update({ where: { id }, data: { usedAt: later(start, 28 * DAY_MS) } });
  expect(await tokensOf(user.id)).toMatchObject([{ endsAt: later(start, 30 * DAY_MS) }]);

  await db.accessToken.update({ where: { id }, data: { usedAt: used } });
  await sweepTokens(later(used, 37 * DAY_MS - 1));
  expect(await tokensOf(user.id)).toHaveLength(1);
  await sweepTokens(later(used, 37 * DAY_MS));
  expect(await tokensOf(user.id)).toEqual([]);
});

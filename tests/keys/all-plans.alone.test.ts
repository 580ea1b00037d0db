import { expect, test } from "vitest";
import { db, sql } from "@/lib/db/client";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { keysHeldBy, keysMadeBy, keysNamed, latestKeys } from "@/lib/keys/all/rows";
import { planOf } from "@/tests/support/plan";
import { makeUser, makeUsers } from "@/tests/support/user";

test("each of these lists is read from an index", async () => {
  const now = new Date();
  const rows = Array.from({ length: 2_000 }, (_, n) => ({
    id: newId(),
    name: `${newId()} ${n}`,
    createdAt: new Date(now.getTime() - n * 1_000),
  }));
  const busy = await makeUser();
  const users = [busy, ...(await makeUsers(29))];
  // So many of one user that PostgreSQL does not rather sort them, and so few that it does not look for them among all.
  const userOf = (n: number) => (n % 20 === 0 ? busy.id : (users[n % users.length]?.id ?? ""));
  await db.key.createMany({
    data: rows.map((row, n) => ({
      ...row,
      creatorId: userOf(n),
      data: "",
      dataBytes: 0,
      price: "1",
      updatedAt: now,
    })),
  });
  await db.holder.createMany({
    data: rows.map(({ id, createdAt }, n) => ({
      keyId: id,
      userId: userOf(n),
      since: now,
      keyCreatedAt: createdAt,
    })),
  });
  if (env.DATABASE_URL) await db.$executeRaw`ANALYZE "Key", "Holder", "User"`;
  // Nearly all of them follow: where only a few do, PostgreSQL rather sorts these.
  const after = { value: String(now.getTime()), id: "f".repeat(32) };
  const indexes = {
    Key_createdAt_id_idx: [latestKeys(26, undefined), latestKeys(26, after)],
    Key_creatorId_createdAt_id_idx: [keysMadeBy(busy.id, 26, undefined), keysMadeBy(busy.id, 26, after)],
    Holder_userId_keyCreatedAt_keyId_idx: [keysHeldBy(busy.id, 26, undefined), keysHeldBy(busy.id, 26, after)],
    Key_by_name: [keysNamed("ab", 26, undefined), keysNamed("a", 26, { value: "ab", id: after.id })],
  };
  for (const [index, queries] of Object.entries(indexes))
    for (const query of queries) {
      const plan = (await planOf(query)).join("\n");
      expect(plan).toContain(index);
      expect(plan).not.toMatch(/USE TEMP B-TREE FOR ORDER BY|SCAN [kh](?! USING INDEX)|Seq Scan on "(?:Key|Holder)"/);
      await sql.read(query);
    }
});

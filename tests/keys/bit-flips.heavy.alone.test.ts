import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { GET as mine } from "@/app/(api)/keys/mine/route";
import { db } from "@/lib/db/client";
import { createKey } from "@/lib/keys/create";
import { damagedKeys } from "@/lib/keys/resealing/check";
import type { KeyRecord } from "@/lib/keys/schema";
import { log } from "@/lib/log";
import { makeUser } from "@/tests/support/user";

const KEYS = 1_000;
/** Every twentieth row of a kind. */
const FLIPPED = 50;

/** The text with one bit of one character changed; still a text that both databases store. */
function flippedText(text: string): string {
  const at = randomInt(text.length);
  for (;;) {
    const character = String.fromCharCode(text.charCodeAt(at) ^ (1 << randomInt(7)));
    if (character >= " " && character <= "~") return text.slice(0, at) + character + text.slice(at + 1);
  }
}

const COLUMNS = ["data", "sealedWith", "dataBytes", "name", "price", "createdAt", "updatedAt"] as const;

test("a flipped bit in any column is that row's fault alone, named by the doctor, never another's data", async () => {
  const owner = { ...(await makeUser()), role: "user" };
  const ids: string[] = [];
  for (let n = 0; n < KEYS; n++)
    ids.push((await createKey(owner, { data: `secret ${n}`, price: "17", name: `key ${n}` })).id);
  const rows = new Map((await db.key.findMany({ where: { creatorId: owner.id } })).map((row) => [row.id, row]));
  const faulty = { data: new Set<string>(), size: new Set<string>() };
  for (const [index, column] of COLUMNS.entries())
    for (let n = 0; n < FLIPPED; n++) {
      const id = ids[n * 20 + index] ?? "";
      const row = rows.get(id);
      if (!row) throw new Error("A key is missing.");
      const flips = {
        data: () => ({ data: flippedText(row.data) }),
        sealedWith: () => ({ sealedWith: (row.sealedWith ?? 0) ^ (2 << randomInt(20)) }),
        dataBytes: () => ({ dataBytes: row.dataBytes ^ (1 << randomInt(20)) }),
        name: () => ({ name: flippedText(row.name) }),
        price: () => ({ price: row.price === "17" ? "16" : "17" }),
        createdAt: () => ({ createdAt: new Date(row.createdAt.getTime() ^ 1) }),
        updatedAt: () => ({ updatedAt: new Date(row.updatedAt.getTime() ^ 2) }),
      };
      await db.key.update({ where: { id }, data: flips[column]() });
      if (column === "data" || column === "sealedWith") faulty.data.add(id);
      if (column === "dataBytes") faulty.size.add(id);
    }

  const { error } = log;
  log.error = () => {};
  try {
    const response = await mine(new Request(`http://localhost/keys/mine?auth=${owner.token}`));
    const records: KeyRecord[] = JSON.parse(await response.text());
    expect(records).toHaveLength(KEYS);
    const byId = new Map(records.map((record) => [record.id, record]));
    for (const [n, id] of ids.entries()) {
      const { data, damaged } = byId.get(id) ?? {};
      expect([id, data, damaged]).toEqual(faulty.data.has(id) ? [id, null, true] : [id, `secret ${n}`, undefined]);
    }
  } finally {
    log.error = error;
  }
  const named: string[] = [];
  for await (const { id, creatorId } of damagedKeys()) if (creatorId === owner.id) named.push(id);
  expect(named.sort()).toEqual([...faulty.data, ...faulty.size].sort());
  await db.key.deleteMany({ where: { creatorId: owner.id } });
});

// Run in its own process: node --import tsx bench/seed.ts <keys> <users>, with the environment of the service that will
// read it. Fills an empty database: each key is created by one user and also held by another. Writes some of the keys,
// with the tokens of holder and creator, to standard output as JSON.
import { createSecretKey } from "node:crypto";
import { sealData } from "@/lib/keys/data";
import { currentDataKey, newKeyBytes } from "@/lib/platform/crypto/data-keys";
import { mintToken } from "@/lib/platform/crypto/tokens";
import { wrapUserKey } from "@/lib/platform/crypto/user-keys";
import { closeDatabase, db } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { newId } from "@/lib/platform/ids";
import { openSeed, type SeedRow } from "@/tests/support/seed/seed";
import type { SeededKey } from "./service";

/** How many keys are requested. */
const SAMPLE = 10_000;
const BATCH = 5_000;
const SECRET = "s".repeat(100);
const CREATED = new Date("2026-01-01T00:00:00Z");

const [keyCount = 0, userCount = 0] = process.argv.slice(2).map(Number);
await migrate();
const seed = openSeed();

const tokens: { token: string; tokenHash: string }[] = [];
const ids: string[] = [];
await inBatches(userCount, "User", (n) => {
  const id = newId();
  const { token, stored } = mintToken(id);
  ids.push(id);
  tokens.push({ token, tokenHash: stored.tokenHash });
  const rest = { role: "user", disabledAt: null, passwordHash: null, tokenAt: CREATED, createdAt: CREATED };
  return [{ id, username: `user-${n}`, usernameKey: `user-${n}`, ...stored, ...rest }];
});

// Sealed, as everything is that a service stores.
const dataKey = await currentDataKey();
const userKeys = ids.map(newKeyBytes);
await inBatches(userCount, "UserKey", (n) => {
  const by = { userId: ids[n] ?? "", number: 1 };
  const wrapped = wrapUserKey(by, userKeys[n] ?? newKeyBytes(), dataKey.key);
  return [{ ...by, dataKeyId: dataKey.id, wrapped, createdAt: CREATED }];
});
await db.dataKey.updateMany({ data: { createdAt: CREATED, resealedAt: CREATED } });

const sample: SeededKey[] = [];
const every = Math.max(1, Math.floor(keyCount / SAMPLE));
const keys: { id: string; creator: number; holder: number }[] = [];
await inBatches(keyCount, "Key", (n) => {
  const key = {
    id: newId(),
    creator: n % userCount,
    holder: (n + 1 + (Math.floor(n / userCount) % (userCount - 1))) % userCount,
  };
  keys.push(key);
  const times = { createdAt: CREATED, updatedAt: CREATED };
  const [asHolder, asCreator] = [tokens[key.holder], tokens[key.creator]];
  if (n % every === 0 && asHolder && asCreator)
    sample.push({ id: key.id, ...asHolder, asCreator, holder: `user-${key.holder}` });
  const of = { id: key.id, creatorId: ids[key.creator] ?? "" };
  const current = { number: 1, key: createSecretKey(userKeys[key.creator] ?? newKeyBytes()) };
  return [
    {
      ...of,
      name: "",
      ...sealData(of, SECRET, current),
      dataBytes: SECRET.length,
      price: "1.5",
      ...times,
    },
  ];
});
await inBatches(keyCount, "Holder", (n) => {
  const { id = "", creator = 0, holder = 0 } = keys[n] ?? {};
  const users = creator === holder ? [creator] : [creator, holder];
  return users.map((user) => ({ keyId: id, userId: ids[user] ?? "", since: CREATED, keyCreatedAt: CREATED }));
});
await seed.finish();
seed.close();
await closeDatabase();
process.stdout.write(JSON.stringify(sample));

async function inBatches(count: number, table: string, row: (n: number) => SeedRow[]): Promise<void> {
  for (let from = 0; from < count; from += BATCH)
    await seed.add(table, Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => row(from + n)).flat());
}

import { afterAll, beforeAll, expect, test } from "vitest";
import { listKeys } from "@/lib/keys/list";
import { listAllKeys } from "@/lib/keys/operator";
import { db } from "@/lib/platform/db/client";
import { newKey, person } from "./keys";

// In Turkish, the small letter of "I" is "ı". A database may have been created with that locale.

const collate = (collation: string) =>
  db.$executeRawUnsafe(`ALTER TABLE "Key" ALTER COLUMN "name" TYPE text COLLATE "${collation}"`);

beforeAll(() => collate("tr-x-icu"));
afterAll(() => collate("default"));

test.each(["kit", "KIT", "Kit"])("in a Turkish database, %s finds an ASCII name whatever its case", async (search) => {
  const caller = await person();
  await newKey(caller, { name: "KIT of a test" });
  const { keys } = await listKeys(caller, { kind: "made", search, page: "1", sort: "name" });
  expect(keys.map(({ name }) => name)).toEqual(["KIT of a test"]);
  expect((await listAllKeys("name", search))?.keys.map(({ name }) => name)).toContain("KIT of a test");
});

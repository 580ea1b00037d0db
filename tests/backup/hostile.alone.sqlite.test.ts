import { createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { restoreBackup } from "@/lib/operator/backup/restore";
import { writeBackup } from "@/lib/operator/backup/write";
import { checkSecrets } from "@/lib/operator/secrets";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { DAY_MS, HOUR_MS, startOfHour } from "@/lib/platform/time";
import { runAdmin } from "@/tests/support/admin";
import { emptyDatabase } from "@/tests/support/databases";
import { makeUser, type TestUser } from "@/tests/support/user";

const folder = mkdtempSync(join(env.DATA_DIR, "hostile-"));
const { AUTH_SECRET = "", DATABASE_URL: _, DATA_DIR: __, ...nothing } = process.env;
type Place = Awaited<ReturnType<typeof emptyDatabase>> & { AUTH_SECRET?: string };

interface Table {
  name: string;
  columns: { name: string; kind: string }[];
}

let owner: TestUser;
let lines: string[];
let made: string;

beforeAll(async () => {
  await checkSecrets("service");
  owner = await makeUser();
  await createKey({ ...owner, role: "user" }, { data: "the secret", price: "1" });
  made = join(folder, "made");
  await writeBackup(made);
  lines = gunzipSync(readFileSync(made)).toString().trimEnd().split("\n").slice(0, -1);
});

const digest = (body: string) => createHash("sha256").update(body).digest("hex");

/** A file of these lines with an end that fits them, signed as who knows `secret` would sign it; unsigned for null. */
function forged(body: string[], secret: string | null = AUTH_SECRET): string {
  const file = join(folder, randomBytes(6).toString("hex"));
  const text = `${body.join("\n")}\n`;
  const sha256 = digest(text);
  const key = Buffer.from(hkdfSync("sha256", secret ?? "", "latchkey", "backups", 32));
  const signature = createHmac("sha256", key).update(`${body.length} ${sha256}`).digest("hex");
  const end = JSON.stringify({ lines: body.length, sha256, ...(secret && { signature }) });
  writeFileSync(file, gzipSync(`${text}${end}\n`, { level: 1 }));
  return file;
}

const withHeader = (changes: object, body = lines) => [
  JSON.stringify({ ...JSON.parse(body[0] ?? ""), ...changes }),
  ...body.slice(1),
];

async function restore(place: Place, file: string, ...options: string[]) {
  return runAdmin(["restore", file, ...options], { ...nothing, AUTH_SECRET, ...place });
}

const PASSPHRASE = "seven marbles under the stairs";
let asked = 0;
const passphrase = async () => {
  asked++;
  return PASSPHRASE;
};

async function refusal(file: string): Promise<string> {
  const refused = await restoreBackup(file, { replace: true, passphrase })
    .then(() => "restored")
    .catch((error: Error) => error.message);
  expect(await db.user.findUnique({ where: { id: owner.id }, select: { username: true } })).toEqual({
    username: owner.username,
  });
  expect(readdirSync(env.DATA_DIR).filter((name) => name.includes("restor"))).toEqual([]);
  return refused;
}

test("a backup that somebody changed, and signed with a hash or with a secret of his own, is refused", async () => {
  const changed = lines.map((line) => line.replace(owner.username, "somebody-else"));
  expect(await refusal(forged(changed, null))).toContain("not signed with");
  expect(await refusal(forged(changed, "e".repeat(40)))).toContain("not signed with");
});

test("what is cut off, changed, no backup or no file is refused", async () => {
  const whole = readFileSync(made);
  const written = (content: Uint8Array) => {
    const file = join(folder, randomBytes(6).toString("hex"));
    writeFileSync(file, content);
    return file;
  };
  const changed = gunzipSync(whole).toString().replace(owner.username, "somebody-else");
  expect(await refusal(written(gzipSync(changed)))).toContain("its hash differs");
  expect(await refusal(written(whole.subarray(0, -1_000)))).toMatch(/cut off/);
  expect(await refusal(written(gzipSync("{}\n")))).toContain("is not a Latchkey backup");
  expect(await refusal(join(folder, "none"))).toContain("There is no file");
});

test("what another version made is refused with a sentence, unless it upgrades to this one", async () => {
  const { migrations } = JSON.parse(lines[0] ?? "");
  const before = "was created by a version before 1.0.0, which this version cannot restore: restore it with 1.0.0";
  for (const format of [1, 2]) expect(await refusal(forged(withHeader({ format }), null))).toContain(before);
  expect(await refusal(forged(withHeader({ migrations: ["20261121090529_init"] })))).toContain(before);
  expect(await refusal(forged(withHeader({ format: 4 })))).toContain("by a newer version (format 4): update first");
  const later = [...migrations, "20991231000000_newer"];
  expect(await refusal(forged(withHeader({ migrations: later })))).toContain("newer version (20991231000000_newer)");
  // As of a database that 1.0.0 made.
  const all = ["20261121090529_init", "20261121110404_secrets_in_use", ...migrations];
  expect(await restore(await emptyDatabase(), forged(withHeader({ migrations: all })))).toMatchObject({ status: 0 });
});

test("of a version that had other tables for statistics, the hours of the last days are kept", async () => {
  const place = await emptyDatabase();
  const at = startOfHour(new Date()).getTime() - 2 * DAY_MS;
  const table = (name: string, columns: string, row: unknown[]) => {
    const described = columns.split(", ").map((column) => column.split(" "));
    return [JSON.stringify({ name, columns: described.map(([name, kind]) => ({ name, kind })) }), JSON.stringify(row)];
  };
  let isNew = false;
  const others = lines.filter((line) => {
    if (line.includes('"columns"')) isNew = JSON.parse(line).name === "Measurement";
    return !isNew;
  });
  const body = [
    ...others,
    ...table("Statistic", "span String, at DateTime, signIns Int, asked Int, keyBytes BigInt", [
      ...["hour", at, 2, 5, "70"],
    ]),
    ...table("Refusal", "span String, at DateTime, limit String, count BigInt", ["hour", at, "link polls", "3"]),
    ...table("StatisticsMark", "id String, eventId BigInt, linksFrom DateTime", ["statistics", "9", at + HOUR_MS]),
    ...table("UserSummarySweep", "id String, eventId BigInt, publishedAt DateTime, filledTo String, sweptAt DateTime", [
      ...["users", "9", at, null, at],
    ]),
  ];
  const { migrations } = JSON.parse(lines[0] ?? "");
  const before = migrations.filter((name: string) => !name.endsWith("_measurements"));
  expect(before).toHaveLength(migrations.length - 1);
  expect(await restore(place, forged(withHeader({ migrations: before }, body)))).toMatchObject({ status: 0 });
  const { stdout } = await runAdmin(["stats"], { ...nothing, AUTH_SECRET, ...place });
  const day = new Date(at).toISOString().slice(0, 10);
  expect(JSON.parse(stdout).days).toContainEqual(
    expect.objectContaining({ day, signIns: 2, asked: 5, linked: 0, keyBytes: 70, refusals: { "link polls": 3 } }),
  );
});

const withTable = (change: (table: Table) => object) =>
  lines.map((line, index) =>
    index === lines.findIndex((one) => one.includes('"columns"')) ? JSON.stringify(change(JSON.parse(line))) : line,
  );
const withRow = (change: (row: unknown[]) => unknown) => {
  const first = lines.findIndex((one) => one.startsWith("["));
  return lines.map((line, index) => (index === first ? JSON.stringify(change(JSON.parse(line))) : line));
};

const OPEN = { kdf: "scrypt", N: 2 ** 17, r: 8, p: 1, salt: "A".repeat(24), sealed: "A".repeat(200) };

const HOSTILE: Record<string, () => string[]> = {
  ...Object.fromEntries(
    ['User" SELECT 1; DROP TABLE "User"; --', "sqlite_master", "_prisma_migrations", "__proto__", ["User"]].map(
      (name) => [`a table named ${name}`, () => withTable((table) => ({ ...table, name }))],
    ),
  ),
  "a column whose name ends the statement": () =>
    withTable(({ name, columns: [first, ...others] }) => ({
      name,
      columns: [{ ...first, name: 'id") VALUES (1); --' }, ...others],
    })),
  "a column that is there twice": () => withTable(({ name, columns }) => ({ name, columns: [columns[0], ...columns] })),
  "a column of another kind": () =>
    withTable(({ name, columns: [first, ...others] }) => ({ name, columns: [{ ...first, kind: "Bytes" }, ...others] })),
  "columns that are none": () => withTable(({ name }) => ({ name, columns: { length: 3 } })),
  "ten thousand columns": () =>
    withTable(({ name, columns }) => ({ name, columns: Array.from({ length: 10_000 }, () => columns[0]) })),
  "a table that comes twice": () => [...lines, lines.find((line) => line.includes('"columns"')) ?? ""],
  "a row with a value too many": () => withRow((row) => [...row, "more"]),
  "a row with a value too few": () => withRow((row) => row.slice(1)),
  "a row with an object": () => withRow(([, ...row]) => [{ id: 1 }, ...row]),
  "a row with a number for a text": () => withRow(([, ...row]) => [5, ...row]),
  "a row without what it needs": () => withRow(([, ...row]) => [null, ...row]),
  "a row before any table": () => [lines[0] ?? "", '["a"]', ...lines.slice(1)],
  "a line that is no JSON": () => [...lines, "{"],
  "a line that is something else": () => [...lines, "5"],
  "a migration that is a path": () => withHeader({ migrations: ["../../../../etc"] }),
  "no migration": () => withHeader({ migrations: [] }),
  "a portable part that wants 64 GiB": () => withHeader({ portable: { ...OPEN, N: 2 ** 26 } }),
  "one that wants 64 GiB by blocks": () => withHeader({ portable: { ...OPEN, r: 512 } }),
  "one that wants a thousand rounds": () => withHeader({ portable: { ...OPEN, p: 1_000 } }),
  "one whose work is no power of two": () => withHeader({ portable: { ...OPEN, N: 2 ** 17 + 1 } }),
  "one that is cheap to guess": () => withHeader({ portable: { ...OPEN, N: 2 } }),
  "one of another kind": () => withHeader({ portable: { ...OPEN, kdf: "none" } }),
  "one with an endless salt": () => withHeader({ portable: { ...OPEN, salt: "A".repeat(1_000_000) } }),
  "one with endless secrets": () => withHeader({ portable: { ...OPEN, sealed: "A".repeat(1_000_000) } }),
  "a header of another shape": () => withHeader({ needs: "all" }),
};

test.each(Object.entries(HOSTILE))("refused before anything is written: %s", async (_, make) => {
  expect(await refusal(forged(make()))).toMatch(/^The backup .* was changed/);
  expect(asked).toBe(0);
});

test("a file that unpacks to one endless line is given up, in little memory", async () => {
  const bomb = join(folder, "bomb");
  const begun = gzipSync(`${lines[0]}\n["`);
  writeFileSync(bomb, Buffer.concat([begun, ...Array<Buffer>(60).fill(gzipSync("x".repeat(10_000_000)))]));
  const little = { ...(await emptyDatabase()), NODE_OPTIONS: "--max-old-space-size=96" };
  const { status, stderr } = await restore(little, bomb);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/line 2 is longer/)]);
});

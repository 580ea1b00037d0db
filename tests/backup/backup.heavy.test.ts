import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, expect, inject, test } from "vitest";
import { createToken } from "@/lib/access-tokens/create";
import { rollUp } from "@/lib/account/statistics/roll-up";
import { sweepSummaries } from "@/lib/account/summaries/sweep";
import { OPERATOR } from "@/lib/audit";
import { checkSecrets } from "@/lib/auth/secrets-in-use";
import { openingClear } from "@/lib/backup/clear-rows";
import type { Plain } from "@/lib/backup/tables";
import { sendBackup, writeBackup } from "@/lib/backup/write";
import { blockNetwork } from "@/lib/blocked-networks/change";
import { db } from "@/lib/db/client";
import { examine } from "@/lib/doctor/examine";
import type { Finding } from "@/lib/doctor/finding";
import { env } from "@/lib/env";
import { exportDocument } from "@/lib/files/export";
import { importDocument } from "@/lib/files/import";
import { newId } from "@/lib/ids";
import { createKey } from "@/lib/keys/create";
import { askForCode } from "@/lib/link/ask";
import { approveRequest } from "@/lib/link/decide";
import { runAdmin } from "@/tests/support/admin";
import { emptyDatabase } from "@/tests/support/empty-database";
import { newNetwork } from "@/tests/support/network";
import { makeUser, type TestUser } from "@/tests/support/user";

const folder = mkdtempSync(join(env.DATA_DIR, "backups-"));
const newFile = () => join(folder, randomBytes(6).toString("hex"));
const { AUTH_SECRET, DATABASE_URL: _, DATA_DIR: __, ...nothing } = process.env;
type Place = Awaited<ReturnType<typeof emptyDatabase>>;

const admin = (place: Place, sent: string[], secret = AUTH_SECRET) =>
  runAdmin(sent, { ...nothing, ...place, ...(secret && { AUTH_SECRET: secret }) });

async function answer(place: Place, ...sent: string[]): Promise<Record<string, unknown>> {
  const { status, stdout, stderr } = await admin(place, sent);
  expect([status, stderr], stdout).toEqual([0, ""]);
  return JSON.parse(stdout);
}

/** An empty SQLite database, whichever kind is being tested. */
const emptySqlite = (): Place => ({ DATA_DIR: mkdtempSync(join(env.DATA_DIR, "empty-")) });

/**
 * The rows of a backup, by table, in any order; without the events of the commands that these tests run. Rows from
 * before sealing are opened: each backup seals them anew.
 */
function contentOf(file: string): Map<string, Set<string>> {
  const tables = new Map<string, Set<string>>();
  let rows = new Set<string>();
  let isTrail = false;
  let opened = (values: Plain[]) => values;
  for (const line of gunzipSync(readFileSync(file)).toString().trimEnd().split("\n")) {
    const value = JSON.parse(line);
    if (value.columns) {
      rows = new Set();
      tables.set(value.name, rows);
      isTrail = value.name === "AuditEvent";
      opened = openingClear(value, String(AUTH_SECRET));
    } else if (Array.isArray(value) && !(isTrail && value.includes(OPERATOR))) rows.add(JSON.stringify(opened(value)));
  }
  return tables;
}

async function problemsHere(): Promise<Finding[]> {
  const problems: Finding[] = [];
  for await (const finding of examine()) problems.push(finding);
  return problems;
}

const textOf = async (userId: string) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await exportDocument(userId)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** What else must be in a backup: a row of each, whose values it is told. */
const FILLED = [
  ["Statistic", "StatisticsMark", "Refusal", "UserSummary", "UserSummarySweep", "BlockedNetwork"],
  ["ClaimBatch", "ClaimLink", "Claim", "KeyOffer", "KeysTold", "BlockedGiver"],
].flat();

/** Rows of every table of the console and of the keys' pages. */
async function fillTables(user: TestUser): Promise<void> {
  const [other, at] = [await makeUser(), new Date(Date.UTC(2026, 4, 3, 2, 1, 0, 7))];
  const { id: keyId } = await createKey({ ...user, role: "user" }, { data: "one", price: "1" });
  const [batchId, hash] = [newId(), randomBytes(32).toString("hex")];
  const batch = { keyId, note: "order 1234 é", links: 1, most: 2, claimed: 1, days: 30, createdAt: at, expiresAt: at };
  await db.claimBatch.create({ data: { id: batchId, ...batch } });
  await db.claimLink.create({ data: { hash, batchId, number: 1, claimed: 1 } });
  await db.claim.create({ data: { hash, userId: other.id, at } });
  await db.holder.create({ data: { keyId, userId: other.id, since: at, keyCreatedAt: at, until: at } });
  await db.keyOffer.create({ data: { keyId, userId: other.id, at } });
  await db.keysTold.create({ data: { userId: user.id, at } });
  await db.blockedGiver.create({ data: { userId: other.id, giverId: user.id, since: at } });
  await db.user.update({ where: { id: other.id }, data: { mostKeys: 0, mostKeyBytes: 9_007_199_254_740_991n } });
  await blockNetwork({ network: "203.0.113.0/24", seconds: null, reason: "guesses" }, { actorId: OPERATOR });
  await db.refusal.create({ data: { span: "day", at, limit: "sign-in", count: 9_007_199_254_740_993n } });
  await rollUp();
  await sweepSummaries();
}

let owner: TestUser;
let document: string;
let ownToken: string;
beforeAll(async () => {
  await checkSecrets("service");
  owner = await makeUser();
  const entry = (index: number) => [
    ".txt",
    `file ${index} 😀`,
    `origin/(c) users/${owner.username}`,
    randomBytes(30_000).toString("base64"),
    null,
    0,
    0.5,
    "0",
    1,
    2,
    "",
    3,
    [owner.username],
    index.toString(16).padStart(32, "0"),
  ];
  const root = [".folder", owner.username, "origin/(c) users", [], "", 0, 0, 0, 1, 1, "", 0, [], "f".repeat(32)];
  document = JSON.stringify([root, ...Array.from({ length: 40 }, (_, index) => entry(index))].flat());
  await importDocument(
    owner,
    (async function* () {
      yield Buffer.from(document);
    })(),
  );
  await askForCode({ network: newNetwork(), program: "curl/8.5.0", webPage: null });
  const network = newNetwork();
  const { id } = await askForCode({ network, program: "curl/8.5.0", webPage: null }, new Date(), { access: "read" });
  await approveRequest({ id: owner.id, network }, id);
  ownToken = (await createToken(owner.id, "Tool", { access: "read", days: 30 })).id;
  const link = {
    hash: randomBytes(32).toString("hex"),
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 86_400_000),
  };
  await db.recoveryLink.create({ data: { userId: owner.id, ...link } });
  await db.recoveryCode.create({ data: { hash: link.hash, userId: owner.id, createdAt: link.createdAt } });
  await db.invitation.create({ data: { id: owner.id, username: "bob", usernameKey: "bob", role: "admin", ...link } });
  await db.accessTokenNetwork.create({ data: { tokenId: ownToken, network: network.id, since: new Date() } });
  await fillTables(owner);
});

/** Makes one key after another, fewer than a user may have: each is a key, a holder and an event, all or none. */
async function writeUntil(stopped: () => boolean, user: TestUser): Promise<number> {
  let count = 0;
  for (; !stopped() && count < 9_000; count++) {
    await createKey(
      { id: user.id, username: user.username, role: "user" },
      { data: `data ${count} \u0001 "é€"`, price: "1.5", name: "" },
    );
    await sleep(2);
  }
  return count;
}

test("a backup made while others write is one moment, and comes back value for value on either database", async () => {
  const writer = await makeUser();
  let done = false;
  const writing = writeUntil(() => done, writer);
  const hasBegun = async () => (await db.key.count({ where: { creatorId: writer.id } })) >= 20;
  await expect.poll(hasBegun).toBe(true);
  const file = newFile();
  const written = await writeBackup(file);
  done = true;
  const keys = await writing;
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(written.opensWith).toBe("the secret in AUTH_SECRET");

  const content = contentOf(file);
  const linesWith = (table: string, id: string) =>
    [...(content.get(table) ?? [])].filter((line) => line.includes(id)).length;
  const [kept = 0, held, events] = ["Key", "Holder", "AuditEvent"].map((table) => linesWith(table, writer.id));
  expect([held, events]).toEqual([kept, kept]);
  expect(kept).toBeGreaterThanOrEqual(20);
  expect(kept).toBeLessThanOrEqual(keys);
  expect(content.get("FileContent")?.size).toBeGreaterThan(3);
  expect([linesWith("AccessToken", owner.id), linesWith("AccessTokenNetwork", ownToken)]).toEqual([2, 1]);
  expect([linesWith("RecoveryLink", owner.id), linesWith("Invitation", owner.id)]).toEqual([1, 1]);
  expect(linesWith("RecoveryCode", owner.id)).toBe(1);
  expect(FILLED.filter((table) => !content.get(table)?.size)).toEqual([]);

  // On PostgreSQL the way leads over an embedded database and back.
  const places: Place[] = [emptySqlite(), ...(inject("database").kind === "postgresql" ? [await emptyDatabase()] : [])];
  let source = file;
  let { rows } = written;
  for (const place of places) {
    expect(await answer(place, "restore", source)).toEqual({ at: expect.stringMatching(/Z$/), rows });
    expect((await answer(place, "user:token", owner.username)).token).toBe(owner.token);
    expect((await admin(place, ["files:export", owner.username])).stdout).toBe(`${document}\n`);
    const again = newFile();
    await answer(place, "backup", again);
    const restored = contentOf(again);
    expect([...restored.keys()]).toEqual([...content.keys()]);
    for (const [table, lines] of content)
      expect([...(restored.get(table) ?? [])].sort(), table).toEqual([...lines].sort());
    // The doctor sees in the copy what it sees here: other tests leave rows behind, but no damage may be new.
    expect(JSON.parse((await admin(place, ["doctor"])).stdout).problems).toEqual(await problemsHere());
    source = again;
    rows = [...gunzipSync(readFileSync(again)).toString().matchAll(/^\[/gm)].length;
  }
  expect(await textOf(owner.id)).toBe(document);
});

test("what is no whole backup, has another secret, or would overwrite accounts or a file is refused", async () => {
  const place = await emptyDatabase();
  const file = newFile();
  await writeBackup(file);
  const refusal = async (sent: string[], secret = AUTH_SECRET) => {
    const { status, stdout, stderr } = await admin(place, sent, secret);
    expect([status, stdout, stderr.split("\n").length], stderr).toEqual([1, "", 2]);
    return stderr;
  };
  expect(
    await refusal(["restore", file], "another secret that is as long".replaceAll(" ", "-") + "-x".repeat(10)),
  ).toContain("AUTH_SECRET is not the secret of this backup");

  const changed = newFile();
  writeFileSync(
    changed,
    gzipSync(gunzipSync(readFileSync(file)).toString().replace(owner.username, "somebody-else"), { level: 1 }),
  );
  const cut = newFile();
  writeFileSync(cut, readFileSync(file));
  truncateSync(cut, statSync(file).size - 1_000);
  const other = newFile();
  writeFileSync(other, gzipSync("{}\n"));
  expect(await refusal(["restore", changed])).toContain("its hash differs");
  expect(await refusal(["restore", cut])).toMatch(/cut off/);
  expect(await refusal(["restore", other])).toContain("is not a Latchkey backup");
  expect(await refusal(["restore", newFile()])).toContain("There is no file");
  expect(await refusal(["backup", file])).toContain("already exists");

  await answer(place, "restore", file);
  expect(await refusal(["restore", file])).toContain("--replace");
  expect(await answer(place, "restore", file, "--replace")).toMatchObject({ rows: expect.any(Number) });
  expect((await answer(place, "user:token", owner.username)).token).toBe(owner.token);
});

test("the doctor finds what is damaged, and says what to do", async () => {
  const place = await emptyDatabase();
  const file = newFile();
  await writeBackup(file);
  await answer(place, "restore", file);
  const lines = gunzipSync(readFileSync(file)).toString();
  expect(lines).toContain(owner.username);
  expect(await db.user.count()).toBeGreaterThan(0);
  const { status, stdout } = await admin(place, ["doctor"], "z".repeat(40));
  const { ok, problems } = JSON.parse(stdout);
  expect([status, ok, problems[0]]).toEqual([
    1,
    false,
    expect.objectContaining({ check: "secrets", advice: expect.stringContaining("secrets:rotate --lost") }),
  ]);
  expect(problems.some(({ check }: { check: string }) => check === "tokens")).toBe(true);
});

test("a backup to a stream is the same, and one that breaks off says so", async () => {
  const file = newFile();
  const out = createWriteStream(file, { mode: 0o600 });
  const { rows } = await sendBackup(out);
  await once(out.end(), "close");
  expect(rows).toBeGreaterThan(0);
  for (const place of [emptySqlite(), await emptyDatabase()])
    expect(await answer(place, "restore", file)).toMatchObject({ rows });

  const broken = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })),
  });
  broken.on("error", () => {});
  await expect(sendBackup(broken)).rejects.toThrow("The output was closed before the whole backup was written.");
});

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, inject, test } from "vitest";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { importDocument } from "@/lib/files/import";
import { exportDocument } from "@/lib/files/read";
import { createKey } from "@/lib/keys/create";
import { approveRequest } from "@/lib/link/approve";
import { createCode } from "@/lib/link/create";
import { openingClear } from "@/lib/operator/backup/format";
import type { Plain } from "@/lib/operator/backup/tables";
import { sendBackup, writeBackup } from "@/lib/operator/backup/write";
import { examine } from "@/lib/operator/doctor/examine";
import type { Finding } from "@/lib/operator/doctor/finding";
import { checkSecrets } from "@/lib/operator/secrets";
import { recordHours } from "@/lib/operator/statistics";
import { countUsers } from "@/lib/operator/users/summaries";
import { OPERATOR } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { blockNetwork } from "@/lib/platform/network/block";
import { runAdmin, runScript } from "@/tests/support/admin";
import { emptyDatabase } from "@/tests/support/databases";
import { chunks, file as entryOf, root, textOf, values } from "@/tests/support/documents";
import { newNetwork } from "@/tests/support/request";
import { makeUser, type TestUser } from "@/tests/support/user";

const folder = mkdtempSync(join(env.DATA_DIR, "backups-"));
const newFile = () => join(folder, randomBytes(6).toString("hex"));
const { AUTH_SECRET, DATABASE_URL: _, DATA_DIR: __, ...nothing } = process.env;
type Place = Awaited<ReturnType<typeof emptyDatabase>>;

const admin = (place: Place, sent: string[], AUTH_SECRET: string) =>
  runAdmin(sent, { ...nothing, ...place, AUTH_SECRET });

/**
 * Runs these commands in this place, and reads there what the owner has. With `backup`, a backup is written to this
 * file then. `printed` is what the commands print.
 */
async function accountAt(place: Place, commands: string[][], backup?: string) {
  const task = JSON.stringify({ username: owner.username, commands, backup });
  const environment = { ...nothing, ...place, AUTH_SECRET };
  const { status, stdout, stderr } = await runScript("tests/support/account-elsewhere.ts", [task], environment);
  expect([status, stderr]).toEqual([0, ""]);
  const printed = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { problems, signing: _, ...account } = printed.pop();
  return { printed, problems, account };
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

/** On PostgreSQL, nobody here sets NEXTAUTH_URL. */
const isStored = ({ check }: Finding) => check !== "settings";

/** Of these, there are more at the second look. */
const isOverdue = ({ check }: Finding) => check === "sweep";
const withoutNumber = ({ problem }: Finding) => problem.replace(/^[\d,]+ \w+/, "");

async function problemsHere(): Promise<Finding[]> {
  const problems: Finding[] = [];
  for await (const finding of examine()) problems.push(finding);
  return problems.filter(isStored);
}

const FILLED = [
  ["Measurement", "UserSummary", "BlockedNetwork"],
  ["ClaimBatch", "ClaimLink", "Claim", "KeyOffer", "KeysTold", "BlockedGiver", "RequestResult"],
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
  await db.requestResult.create({ data: { userId: user.id, idHash: hash, fingerprint: hash, result: "{}", at } });
  await db.user.update({ where: { id: other.id }, data: { mostKeys: 0, mostKeyBytes: 9_007_199_254_740_991n } });
  await blockNetwork({ network: "203.0.113.0/24", seconds: null, reason: "guesses" }, { actorId: OPERATOR });
  await recordHours(new Date());
  await countUsers();
  await db.measurement.create({ data: { at, name: "keyBytes", value: 9_007_199_254_740_993n } });
}

let owner: TestUser;
let document: string;
let ownToken: string;
beforeAll(async () => {
  await checkSecrets("service");
  owner = await makeUser();
  const entry = (index: number) =>
    values({ ...entryOf(owner.username, 2 + index, randomBytes(30_000).toString("base64")), name: `file ${index} 😀` });
  const entries = [values(root(owner.username)), ...Array.from({ length: 40 }, (_, index) => entry(index))];
  document = JSON.stringify(entries.flat());
  await importDocument(owner, chunks(document));
  await createCode({ network: newNetwork(), program: "curl/8.5.0", webPage: null });
  const network = newNetwork();
  const { id } = await createCode({ network, program: "curl/8.5.0", webPage: null }, { access: "read" });
  await approveRequest({ id: owner.id, network }, id);
  ownToken = (await createToken(owner.id, { name: "Tool", access: "read", days: 30 })).id;
  const hash = randomBytes(32).toString("hex");
  const link = { hash, createdAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) };
  await db.recoveryLink.create({ data: { userId: owner.id, ...link } });
  await db.recoveryCode.create({ data: { hash, userId: owner.id, createdAt: link.createdAt } });
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
    const again = newFile();
    const { printed, problems, account } = await accountAt(place, [["restore", source]], again);
    expect(printed).toEqual([{ at: expect.stringMatching(/Z$/), rows }]);
    expect(account).toEqual({ token: owner.token, keys: ["one"], files: document });
    // The doctor sees in the copy what it sees here: other tests leave rows behind, but no damage may be new.
    const [there, here] = [problems.filter(isStored), await problemsHere()];
    expect(there.filter((one: Finding) => !isOverdue(one))).toEqual(here.filter((one: Finding) => !isOverdue(one)));
    expect(here.map(withoutNumber)).toEqual(expect.arrayContaining(there.map(withoutNumber)));
    const found = contentOf(again);
    expect([...found.keys()]).toEqual([...content.keys()]);
    for (const [table, lines] of content)
      expect([...(found.get(table) ?? [])].sort(), table).toEqual([...lines].sort());
    source = again;
    rows = [...gunzipSync(readFileSync(again)).toString().matchAll(/^\[/gm)].length;
  }
  expect(await textOf(await exportDocument(owner.id))).toBe(document);
});

test("a backup to a stream is the same; it needs its secret, and overwrites nothing unasked", async () => {
  const place = await emptyDatabase();
  const [file, streamed] = [newFile(), newFile()];
  await writeBackup(file);
  await expect(writeBackup(file)).rejects.toThrow("already exists");
  const out = createWriteStream(streamed, { mode: 0o600 });
  const { rows } = await sendBackup(out);
  await once(out.end(), "close");
  const other = "z".repeat(40);
  const refused = await admin(place, ["restore", file], other);
  expect([refused.status, refused.stdout, refused.stderr.split("\n").length], refused.stderr).toEqual([1, "", 2]);
  expect(refused.stderr).toContain("AUTH_SECRET is not the secret of this backup");
  const restores = [
    ["restore", streamed],
    ["restore", file, "--replace"],
  ];
  const { printed, account } = await accountAt(place, restores);
  expect(printed).toMatchObject([{ rows }, {}]);
  expect(account).toEqual({ token: owner.token, keys: ["one"], files: document });
  expect((await admin(place, ["restore", file], String(AUTH_SECRET))).stderr).toContain("--replace");

  // The doctor finds that a secret is missing, and says what to do.
  const { status, stdout } = await admin(place, ["doctor"], other);
  const { ok, problems } = JSON.parse(stdout);
  const advice = expect.stringContaining("secrets:rotate --lost");
  const found = problems.find(({ check }: Finding) => check === "secrets");
  expect([status, ok, found]).toEqual([1, false, expect.objectContaining({ check: "secrets", advice })]);
  expect(problems.map(({ check }: Finding) => check)).toContain("tokens");
});

test("a backup to a stream that breaks off says so", async () => {
  const broken = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })),
  });
  broken.on("error", () => {});
  await expect(sendBackup(broken)).rejects.toThrow("The output was closed before the whole backup was written.");
});

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { writeSeen } from "@/lib/accounts/identity/seen";
import { findKey } from "@/lib/keys/access";
import { createKey } from "@/lib/keys/create";
import { revealData } from "@/lib/keys/data";
import { deleteKey } from "@/lib/keys/delete";
import { updateKey } from "@/lib/keys/update";
import { sweepAll } from "@/lib/operator/sweep";
import { db, Prisma, sqliteFile, transaction } from "@/lib/platform/db/client";
import { textMaker } from "@/lib/platform/db/sql";
import { SqliteConnection, sqlite } from "@/lib/platform/db/sqlite";
import { groupCommit, LogOnDisk } from "@/lib/platform/db/sqlite-sql";
import { sqlChange } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { addRefusals } from "@/lib/platform/limits/refusals";
import { makeUser } from "@/tests/support/user";

const file = join(env.DATA_DIR, "latchkey.db");
const log = `${file}-wal`;

// Journal: readers and a writer of other processes go on side by side. Synchronous 2 is FULL: an answered write
// survives a power cut. Busy timeout 0: better-sqlite3 would wait inside a synchronous call, so
// lib/platform/db/sqlite.ts waits instead.
test.each([
  ["journal_mode", "wal"],
  ["synchronous", 2n],
  ["foreign_keys", 1n],
  ["busy_timeout", 0n],
  ["trusted_schema", 0n],
  ["wal_autocheckpoint", 4000n],
  ["secure_delete", 1n],
])("PRAGMA %s reads back as %s", async (pragma, value) => {
  const [row] = await db.$queryRaw<Record<string, unknown>[]>(Prisma.raw(`PRAGMA ${pragma}`));
  expect(Object.values(row ?? {})).toEqual([value]);
});

test("contents of files are read past the cache, which keeps the pages of look-ups", async () => {
  const options = await db.$queryRaw<{ compile_options: string }[]>`PRAGMA compile_options`;
  expect(options.map((option) => option.compile_options)).toContain("DIRECT_OVERFLOW_READ");
});

function copiesOf(mark: string): number {
  const bytes = [file, log].filter(existsSync).map((path) => readFileSync(path).toString("latin1"));
  return bytes.reduce((sum, text) => sum + text.split(mark).length - 1, 0);
}

test("of clear data that was replaced, deleted or sealed, no copy is left in the database's files", async () => {
  const owner = { ...(await makeUser()), role: "user" };
  const marks = Array.from({ length: 4 }, () => `mark-${randomBytes(12).toString("hex")}`);
  const [first = "", second = "", short = "", kept = ""] = marks;
  // As a version before sealing stored it. Larger than a page, so that it lies in pages of its own, which are freed.
  const inTheClear = async (data: string) => {
    const { id } = await createKey(owner, { data: "sealed", price: "1" });
    await db.key.update({ where: { id }, data: { data, dataBytes: Buffer.byteLength(data), sealedWith: null } });
    return id;
  };
  const long = "x".repeat(20_000);
  const [replaced, deleted] = [await inTheClear(first + long), await inTheClear(second + long)];
  const [small, large] = [await inTheClear(short), await inTheClear(kept + long)];
  expect(marks.map(copiesOf).every((copies) => copies > 0)).toBe(true);
  await updateKey(owner, await findKey(owner, replaced), { field: "data", value: long });
  await updateKey(owner, await findKey(owner, small), { field: "data", value: "short" });
  await deleteKey(owner, await findKey(owner, deleted));
  // What earlier tests left to be written in the background would be in the log, too.
  await Promise.all([writeSeen(), addRefusals()]);
  await sweepAll();
  expect(marks.map(copiesOf)).toEqual([0, 0, 0, 0]);
  expect(statSync(log).size).toBe(0);
  expect(await revealData(owner, large)).toBe(kept + long);
});

/** Connections with statements, open ones too, of each kind that we have. Only these references to them are left. */
async function dropped(): Promise<WeakRef<object>[]> {
  const database = new Database(file);
  const statement = database.prepare("SELECT 1");
  const rows = database.prepare("SELECT 1 UNION SELECT 2").iterate();
  rows.next();
  const closed = new Database(file);
  closed.prepare("SELECT 1").get();
  closed.close();
  const connection = new SqliteConnection(file, () => "");
  for (const text of ["BEGIN", "COMMIT"]) connection.execute(text);
  const prisma = await sqlite(file).connect();
  const query = { sql: "SELECT 1", args: [], argTypes: [] };
  for (let count = 0; count < 100; count++) await prisma.queryRaw(query);
  return [database, statement, rows, closed, connection, prisma].map((one) => new WeakRef(one));
}

test("the process lives on when V8 collects databases and statements", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const references: WeakRef<object>[] = [];
  for (let count = 0; count < 10; count++) references.push(...(await dropped()));
  const left = () => {
    collect();
    return references.filter((reference) => reference.deref() !== undefined).length;
  };
  await expect.poll(left).toBe(0);
});

// That they are refused after five seconds: tests/durability/slow.test.ts.
test("while another has the write lock reads go on, and a write and a transaction wait and happen whole", async () => {
  const { id } = await makeUser();
  const other = new Database(sqliteFile());
  other.exec("BEGIN IMMEDIATE");
  let isWritten = false;
  const event = { at: new Date(), action: "key.create", subjectId: newId(), actorId: null, detail: "{}" };
  const waiting = Promise.all([
    db.auditEvent.create({ data: event }),
    transaction(async (tx) => {
      await tx.user.update({ where: { id }, data: { role: "admin" } });
      return tx.user.findUniqueOrThrow({ where: { id } });
    }),
  ]).finally(() => {
    isWritten = true;
  });
  // A write that blocked the event loop would be refused: only this, further on, gives the lock back.
  await sleep(500);
  expect((await db.user.findUnique({ where: { id } }))?.role).toBe("user");
  expect(isWritten).toBe(false);
  other.exec("COMMIT");
  other.close();
  expect((await waiting)[1].role).toBe("admin");
  expect(await db.auditEvent.count({ where: { subjectId: event.subjectId } })).toBe(1);
});

/** A database of its own with a table of notes, and a way to write to it that waits for `onDisk`. */
function notes(onDisk: (file: string) => () => Promise<void>) {
  const file = join(env.DATA_DIR, `${newId()}.db`);
  const looking = new Database(file);
  looking.exec(`PRAGMA journal_mode=WAL; CREATE TABLE "Note" ("text" TEXT)`);
  const writing = new SqliteConnection(
    file,
    textMaker(() => "?"),
  );
  onTestFinished(() => {
    writing.close();
    looking.close();
  });
  const tx = { read: async () => [], write: async (change: never) => writing.run(change) as never };
  const { write } = groupCommit(writing, tx, { inTurn: (work) => work(), onDisk: onDisk(file) });
  return {
    note: (text: string) => write((tx) => tx.write(sqlChange`INSERT INTO "Note" VALUES (${text})`)),
    emptyLog: () => looking.pragma("wal_checkpoint(TRUNCATE)"),
    stored: () => looking.prepare(`SELECT "text" FROM "Note" ORDER BY "text"`).pluck().all(),
  };
}

const turns = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise(setImmediate);
};

test("changes are answered when they are on the disk, and what is asked for meanwhile is one group", async () => {
  const waiting: (() => void)[] = [];
  const { note, stored } = notes(() => () => new Promise((resolve) => waiting.push(resolve)));
  const answered: string[] = [];
  const noted = (text: string) => note(text).then(() => answered.push(text));
  const all = [noted("a"), noted("b")];
  await turns(10);
  all.push(noted("c"));
  await turns(10);
  all.push(noted("d"));
  await turns(10);
  expect([stored(), answered, waiting.length]).toEqual([["a", "b"], [], 1]);

  waiting[0]?.();
  await turns(10);
  expect([stored(), answered, waiting.length]).toEqual([["a", "b", "c", "d"], ["a", "b"], 2]);

  waiting[1]?.();
  await Promise.all(all);
  expect([answered, waiting.length]).toEqual([["a", "b", "c", "d"], 2]);
});

test.each(["its file", "a link to it"])(
  "the log of %s is brought to the disk, also after it was emptied",
  async (name) => {
    const { note, stored, emptyLog } = notes((file) => {
      if (name !== "its file") symlinkSync(file, `${file}-link`);
      const log = new LogOnDisk(name === "its file" ? file : `${file}-link`);
      onTestFinished(() => log.close());
      return () => log.synchronize();
    });
    await Promise.all(["a", "b"].map(note));
    expect(emptyLog()).toMatchObject([{ busy: 0, log: 0 }]);
    await note("c");
    expect(stored()).toEqual(["a", "b", "c"]);
  },
);

test("a log that cannot be brought to the disk is an error", async () => {
  const log = new LogOnDisk(join(env.DATA_DIR, newId()));
  await expect(log.synchronize()).rejects.toMatchObject({ code: "ENOENT" });
  log.close();
});

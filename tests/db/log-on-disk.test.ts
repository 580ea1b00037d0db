import { symlinkSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { textMaker } from "@/lib/platform/db/sql";
import { SqliteConnection } from "@/lib/platform/db/sqlite";
import { groupCommit, LogOnDisk } from "@/lib/platform/db/sqlite-sql";
import { sqlChange } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";

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

test("once the disk has failed, its changes and all later ones are refused, and nothing more is written", async () => {
  let calls = 0;
  const { note, stored } = notes(() => async () => {
    if (++calls === 2) throw new Error("EIO");
  });
  await note("a");
  const refused = await Promise.allSettled([note("b"), note("c")]);
  const later = await Promise.allSettled([note("d")]);
  const why = [...refused, ...later].map((outcome) => outcome.status === "rejected" && outcome.reason.message);
  expect(why).toEqual(Array(3).fill("The disk failed. Changes are refused until the service is restarted."));
  expect([stored(), calls]).toEqual([["a", "b", "c"], 2]);
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

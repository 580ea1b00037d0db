import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { db, sqliteFile, transaction } from "@/lib/db/client";
import { isUnavailable } from "@/lib/db/errors";
import { newId } from "@/lib/ids";
import { makeUser } from "@/tests/support/user";

const HOLD = `
  const database = new (require("better-sqlite3"))(process.argv[1]);
  database.exec("BEGIN IMMEDIATE");
  console.log("held");
  process.stdin.once("data", () => { database.exec("COMMIT"); process.exit(); });
`;

let other: ChildProcess | undefined;

/**
 * Lets a second process take the write lock of the test's database, as the admin command may. Answers how it gives it
 * back.
 */
async function lockFromOutside(): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ["-e", HOLD, sqliteFile()], { stdio: ["pipe", "pipe", "inherit"] });
  other = child;
  await once(child.stdout, "data");
  return async () => {
    child.stdin.write("enough\n");
    await once(child, "exit");
  };
}

afterEach(() => {
  other?.kill("SIGKILL");
  other = undefined;
});

async function timed<T>(work: Promise<T>): Promise<{ ms: number; result: T }> {
  const started = performance.now();
  const result = await work;
  return { ms: performance.now() - started, result };
}

const write = () =>
  db.auditEvent.create({
    data: { at: new Date(), action: "key.create", subjectId: newId(), actorId: null, detail: "{}" },
  });

describe("while another process holds the write lock", () => {
  test("a read does not wait, a write does, and the event loop is not blocked", async () => {
    const { id } = await makeUser();
    const release = await lockFromOutside();
    let isWritten = false;
    const waiting = write().then(() => {
      isWritten = true;
    });
    // A write that blocked the event loop would be refused: only this, further on, gives the lock back.
    await sleep(1_500);
    expect((await db.user.findUnique({ where: { id } }))?.id).toBe(id);
    expect(isWritten).toBe(false);

    await release();
    await waiting;
  });

  test("a transaction waits for its start, and then happens whole", async () => {
    const { id } = await makeUser();
    const release = await lockFromOutside();
    const waiting = transaction(async (tx) => {
      await tx.user.update({ where: { id }, data: { role: "admin" } });
      return tx.user.findUniqueOrThrow({ where: { id } });
    });
    await sleep(300);
    await release();
    expect((await waiting).role).toBe("admin");
  });

  test("after five seconds a write and a transaction are refused as unavailable, and reads still work", async () => {
    const { id } = await makeUser();
    const release = await lockFromOutside();
    const refusals = [write(), transaction((tx) => tx.user.delete({ where: { id } }))].map((work) =>
      timed(
        work.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    const reads = Array.from({ length: 40 }, async (_, index) => {
      await sleep(index * 100);
      return db.user.findUnique({ where: { id } });
    });
    for (const { ms, result } of await Promise.all(refusals)) {
      expect(isUnavailable(result)).toBe(true);
      expect(ms).toBeGreaterThan(4_500);
    }
    for (const user of await Promise.all(reads)) expect(user?.id).toBe(id);

    await release();
    await write();
    expect(await db.user.count({ where: { id } })).toBe(1);
  });
});

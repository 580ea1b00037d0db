import { expect, test, vi } from "vitest";
import { GET as ready } from "@/app/(api)/ready/route";
import { refusalOf } from "@/lib/api/refusal";
import { db, sql, transaction } from "@/lib/platform/db/client";
import { sqlChange } from "@/lib/platform/db/statement";
import { makeUser } from "@/tests/support/user";

// The disk alone is replaced here, by one that can fail.
const disk = vi.hoisted(() => ({ hasFailed: false }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const fdatasync = (file: number, done: (error: Error | null) => void) =>
    disk.hasFailed
      ? done(Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" }))
      : fs.fdatasync(file, done);
  return { ...fs, fdatasync };
});

const readiness = async () => {
  const response = await ready(new Request("http://localhost/ready"));
  return [response.status, ((await response.json()) as { code?: string }).code];
};

const told = (change: () => Promise<unknown>) =>
  change()
    .then(() => 200)
    .catch((error) => refusalOf(error, "a change failed").status);

test("once its disk has failed, the service is not ready, and refuses changes, until it is restarted", async () => {
  const { id } = await makeUser();
  const bySql = () => sql.batch([sqlChange`UPDATE "User" SET "role" = 'user' WHERE "id" = ${id}`]);
  const byPrisma = () => db.user.update({ where: { id }, data: { role: "user" } });
  const inTransaction = () => transaction((tx) => tx.user.update({ where: { id }, data: { role: "user" } }));
  const changes = [bySql, byPrisma, inTransaction];
  for (const change of changes) expect(await told(change)).toBe(200);
  expect(await readiness()).toEqual([200, undefined]);

  disk.hasFailed = true;
  await expect(bySql()).rejects.toThrow("The disk failed.");
  await expect.poll(readiness).toEqual([503, "unavailable"]);

  disk.hasFailed = false;
  for (const change of changes) expect(await told(change), String(change)).toBe(503);
  expect(await readiness()).toEqual([503, "unavailable"]);
  expect(await db.user.count({ where: { id } })).toBe(1);
});

import { expect, test, vi } from "vitest";
import { GET as ready } from "@/app/(api)/ready/route";
import { sql } from "@/lib/db/client";
import { sqlChange } from "@/lib/db/statement";
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

test("once its disk has failed, the service is not ready, and refuses changes, until it is restarted", async () => {
  const { id } = await makeUser();
  const change = () => sql.batch([sqlChange`UPDATE "User" SET "role" = 'user' WHERE "id" = ${id}`]);
  await change();
  expect(await readiness()).toEqual([200, undefined]);

  disk.hasFailed = true;
  await expect(change()).rejects.toThrow("The disk failed.");
  await expect.poll(readiness, { timeout: 10_000 }).toEqual([503, "unavailable"]);

  disk.hasFailed = false;
  await expect(change()).rejects.toThrow("The disk failed.");
  expect(await readiness()).toEqual([503, "unavailable"]);
});

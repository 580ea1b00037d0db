import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { OPERATOR } from "@/lib/audit";
import { createUser } from "@/lib/auth/users";
import { closeDatabase } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { runAdmin } from "@/tests/support/admin";
import { newUsername } from "@/tests/support/user";

export const scratch = mkdtempSync(join(tmpdir(), "latchkey-admin-"));
// The process of a file that imports this has the database open all the time, as the service would.
beforeAll(() => migrate().then(() => {}));
afterAll(async () => {
  await closeDatabase();
  rmSync(scratch, { recursive: true });
});

export const admin = (sent: string[], input: string | null = null, environment: Record<string, string> = {}) =>
  runAdmin(sent, { ...process.env, LOG_LEVEL: "info", ...environment }, input);

/** The JSON line of a command that succeeds and says nothing else. */
export async function answer(sent: string[], input: string | null = null): Promise<Record<string, unknown>> {
  const { status, stdout, stderr } = await admin(sent, input);
  expect([status, stderr], stdout).toEqual([0, ""]);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout);
}

/** What `user:create` does, without the second that a process takes to start. */
export const makeOperatorsUser = (password: string | null = null) =>
  createUser({ username: newUsername(), password, madeBy: OPERATOR });

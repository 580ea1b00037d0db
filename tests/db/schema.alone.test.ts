import { expect, inject, test } from "vitest";
import { examine } from "@/lib/operator/doctor/examine";
import type { Finding } from "@/lib/operator/doctor/finding";
import { db } from "@/lib/platform/db/client";

async function found(): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of examine()) if (finding.check === "database") findings.push(finding);
  return findings;
}
const run = (statement: string) => db.$executeRawUnsafe(statement);

test("the doctor names an index that somebody dropped, and what creates it", async () => {
  expect(await found()).toEqual([]);
  await run('DROP INDEX "User_tokenHash_key"');
  const [missing, ...others] = await found();
  expect(others).toEqual([]);
  expect(missing?.problem).toBe(
    "The index User_tokenHash_key is missing: what uses it takes long, or is stored twice.",
  );
  await run(String(missing?.advice).replace(/^Create it: /, ""));
  expect(await found()).toEqual([]);
});

test("the doctor names a column that somebody renamed", async () => {
  await run('ALTER TABLE "Passkey" RENAME COLUMN "transports" TO "transport"');
  const advice = "Something else has changed the database: restore a backup.";
  const problem = "The database has no column Passkey.transports.";
  expect(await found()).toEqual([{ check: "database", problem, advice }]);
  await run('ALTER TABLE "Passkey" RENAME COLUMN "transport" TO "transports"');
  expect(await found()).toEqual([]);
});

const onPostgres = inject("database").kind === "postgresql";

test("the doctor names an index that is not unique any more, and what creates it", async () => {
  await run('DROP INDEX "User_tokenHash_key"');
  await run('CREATE INDEX "User_tokenHash_key" ON "User"("tokenHash")');
  const [other, ...others] = await found();
  expect(others).toEqual([]);
  expect(other?.problem).toMatch(/^The index User_tokenHash_key as the migrations create it is missing: /);
  const statements = String(other?.advice).replace(/^Create it: /, "");
  expect(statements).toBe(
    'DROP INDEX "User_tokenHash_key"; CREATE UNIQUE INDEX "User_tokenHash_key" ON "User"("tokenHash");',
  );
  for (const statement of statements.split("; ")) await run(statement);
  expect(await found()).toEqual([]);
});

if (onPostgres)
  test("the doctor names an index whose creation failed in its middle", async () => {
    const created =
      'CREATE INDEX CONCURRENTLY "Session_userId_idx" ON "Session"((1 / length("userId") - length("id")))';
    await run('DROP INDEX "Session_userId_idx"');
    await run(`INSERT INTO "User" ("id", "username", "usernameKey", "role", "tokenHash", "tokenSealed", "tokenAt",
      "createdAt") VALUES ('', 'a', 'a', 'user', 'a', 'a', now(), now())`);
    await run(`INSERT INTO "Session" ("id", "userId", "createdAt", "expiresAt", "userAgent")
      VALUES ('a', '', now(), now(), 'a')`);
    await expect(run(created)).rejects.toThrow("division by zero");
    await run(`DELETE FROM "User" WHERE "id" = ''`);
    const [invalid, ...others] = await found();
    expect(others).toEqual([]);
    expect(invalid?.problem).toMatch(/^The index Session_userId_idx as the migrations create it is missing: /);
    await run('DROP INDEX "Session_userId_idx"');
    await run('CREATE INDEX "Session_userId_idx" ON "Session"("userId")');
    expect(await found()).toEqual([]);
  });

test("the doctor names a column that has another type", async () => {
  await run('ALTER TABLE "Passkey" RENAME COLUMN "transports" TO "former"');
  await run('ALTER TABLE "Passkey" ADD COLUMN "transports" INTEGER');
  const advice = "Something else has changed the database: restore a backup.";
  const problem = `The database has no column Passkey.transports of the type ${onPostgres ? "text" : "TEXT"}.`;
  expect(await found()).toEqual([{ check: "database", problem, advice }]);
  await run('ALTER TABLE "Passkey" DROP COLUMN "transports"');
  await run('ALTER TABLE "Passkey" RENAME COLUMN "former" TO "transports"');
  expect(await found()).toEqual([]);
});

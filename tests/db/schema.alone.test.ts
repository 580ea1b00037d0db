import { expect, test } from "vitest";
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

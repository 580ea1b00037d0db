import { expect, test } from "vitest";
import { auditAll } from "@/lib/audit";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import { type ExportFormat, exportedEvents } from "@/lib/operator/audit/export";
import { statementsOf } from "../support/statements";
import { makeUser } from "../support/user";

async function exported(subjectId: string, format: ExportFormat): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of exportedEvents({ subjectId }, format)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const HEAD = "\ufeffat,action,subject,actor,actorId,network,detail\r\n";
const at = new Date("2026-01-01T00:00:00Z");

test("an export without events says that it is complete", async () => {
  expect(await exported(newId(), "json")).toBe('{"complete":true,"events":0}\n');
  expect(await exported(newId(), "csv")).toBe(`${HEAD}complete,0,,,,,\r\n`);
});

test("both formats have every event, oldest first, and their number at the end", async () => {
  const [user, subjectId] = [await makeUser(), newId()];
  const event = (n: number) => ({
    at: new Date(at.getTime() + n),
    action: "key.add" as const,
    subjectId,
    actorId: n % 2 === 0 ? user.id : null,
    detail: { n: String(n), network: "198.51.100.7" },
  });
  await auditAll(
    Array.from({ length: 1_201 }, (_, n) => event(n)),
    db,
  );
  const lines = (await exported(subjectId, "json"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.pop()).toEqual({ complete: true, events: 1_201 });
  expect(lines.map(({ detail }) => Number(detail.n))).toEqual(Array.from({ length: 1_201 }, (_, n) => n));
  expect(lines[0]).toEqual({
    at: at.toISOString(),
    action: "key.add",
    subject: subjectId,
    actor: user.username,
    actorId: user.id,
    detail: event(0).detail,
  });
  const rows = (await exported(subjectId, "csv")).split("\r\n");
  expect(rows.slice(-2)).toEqual(["complete,1201,,,,,", ""]);
  expect(rows[1]).toBe(
    `${at.toISOString()},key.add,${subjectId},${user.username},${user.id},198.51.100.7,` +
      '"{""n"":""0"",""network"":""198.51.100.7""}"',
  );
  expect(rows.length).toBe(1_201 + 3);
});

test("no spreadsheet runs what somebody else wrote", async () => {
  const subjectId = '=HYPERLINK("http://example.org")';
  const detail = { network: "@SUM(1)", name: "=1+1" };
  await auditAll([{ at, action: "key.delete", subjectId, actorId: "+1", detail }], db);
  const [, row = ""] = (await exported(subjectId, "csv")).split("\r\n");
  const fields = row.match(/(?:"(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? [];
  for (const field of fields) expect(field.replace(/^"/, "")).not.toMatch(/^[=+@\-\t]/);
  expect(row).toContain("'@SUM(1)");
});

test("a page is read when the one before it was taken, and nothing is read after a reader left", async () => {
  const subjectId = newId();
  const event = { at, action: "key.add" as const, subjectId, actorId: null };
  await auditAll(
    Array.from({ length: 1_500 }, () => event),
    db,
  );
  const chunks = exportedEvents({ subjectId }, "json");
  await chunks.next();
  expect(await statementsOf(async () => void (await chunks.return(undefined)))).toEqual([]);
  expect((await chunks.next()).done).toBe(true);
});

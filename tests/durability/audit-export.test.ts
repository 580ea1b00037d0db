import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { beforeAll, expect, test } from "vitest";
import { MAX_EXPORTS } from "@/lib/operator/audit/export";
import { sendTo } from "@/tests/support/request";
import { sized } from "@/tests/support/size";
import { openSockets } from "@/tests/support/sockets";
import { signInByPassword } from "@/tests/support/user";
import { breakOff, PASSWORD, startWithOneUser } from "./one-user";

/** More than the buffers between both ends hold. */
const EVENTS = 200_000;
const EXPORT_BYTES = 30_000_000;
const DEAF = 20;
/** Of each that is sent: a page of events as rows and as text, some text on its way, and what is not collected yet. */
const BYTES_EACH = 4_000_000;
/** Exports that are broken off, at once and one after the other; garbage that is not collected yet is less of each. */
const ROUNDS = sized(3, 24);
const MAX_GROWTH = (ROUNDS * MAX_EXPORTS * BYTES_EACH) / 2;
/** Of a few rounds, what malloc keeps is as much as what a fault would hold: only many are judged by memory. */
const isJudgedByMemory = sized(0, 1) === 1;
const PATH = "/admin/audit/export?format=csv";

const own = startWithOneUser();
const headers = { Accept: "text/html", Cookie: "" };
beforeAll(async () => {
  const database = new Database(`${own.service.storage.DATA_DIR}/latchkey.db`);
  database.exec(`UPDATE "User" SET "role" = 'admin';
    DELETE FROM "AuditEvent";
    INSERT INTO "AuditEvent" ("at", "action", "subjectId", "actorId", "detail")
    WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${EVENTS})
    SELECT 1700000000000 + n, 'key.update', printf('%032x', n), NULL,
      '{"field":"data","note":"' || printf('%064d', n) || '"}'
    FROM s`);
  database.close();
  headers.Cookie = await signInByPassword(own.service.url, own.user.username, PASSWORD);
});

function request(): string {
  const sent = { Host: new URL(own.service.url).host, Accept: "text/html", Cookie: headers.Cookie };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${PATH} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** After the headers or in the middle. Until the service has seen that others are gone, it says 503. */
async function breakOffOne(n: number): Promise<void> {
  const how = { bytes: [1, 500_000, 3_000_000][n % 3] ?? 0, isRude: n % 4 < 2 };
  while ((await breakOff(own.service.url, request(), how)) === "503");
}

const breakOffMany = () => Promise.all(Array.from({ length: MAX_EXPORTS }, (_, n) => breakOffOne(n)));

const ONE = `${PATH}&which=${"0".repeat(31)}1`;
/** Of an export of one event, which counts as one like any other. */
const statusOfOne = async () => (await sendTo(own.service.url, ONE, { headers })).status;

test("exports whose clients go away or stop reading hold little, leave nothing, and delay nobody", async () => {
  // What the service takes once, whoever asks, is taken before anything is measured.
  for (let times = 0; times < 3; times++) await breakOffMany();
  await expect.poll(statusOfOne).toBe(200);
  await sleep(1_000);
  const noted = await own.note();

  const deaf = await openSockets(DEAF, own.service.url, request(), false);
  await own.expectAnswers();
  // Meanwhile others are refused, until one of these has gone.
  await expect.poll(statusOfOne).toBe(503);
  // Half of what they would take if they did not wait for their readers: garbage takes some of it.
  expect(await noted.growth()).toBeLessThan((MAX_EXPORTS * EXPORT_BYTES) / 2);
  for (const { socket } of deaf) socket.destroy();
  await expect.poll(statusOfOne).toBe(200);

  for (let times = 0; times < ROUNDS; times++) await breakOffMany();
  await noted.expectNothingLeft();
  if (isJudgedByMemory) expect(await noted.growth()).toBeLessThan(MAX_GROWTH);
});

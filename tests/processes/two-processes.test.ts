import { readFileSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askForLinkAt, type MailServer, makeReaders, startMailServer } from "@/tests/mail/mail-server";
import { sendTo } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { logFaults } from "@/tests/support/service.global";
import { newUsername } from "@/tests/support/user";

const COUNT = 6;
const WAITING = 3;
const EVIL = "evil.example";
const TRICKS: Record<string, string>[] = [
  { Host: EVIL },
  { "X-Forwarded-Host": EVIL, "X-Forwarded-Proto": "https" },
  { Host: EVIL, Origin: `http://${EVIL}` },
  { Forwarded: `host=${EVIL}` },
  { "X-Forwarded-Host": `${EVIL}, 127.0.0.1`, Referer: `https://${EVIL}/` },
];

let server: MailServer;
let service: RunningService;
let made: Awaited<ReturnType<typeof makeReaders>>;
beforeAll(async () => {
  server = await startMailServer();
  const variables = { SMTP_URL: server.url.replace("//", "//keys:right%20horse@"), MAIL_FROM: "keys@keys.example" };
  service = await startService({ lane: "direct", database: "postgresql", processes: 2 }, variables);
  made = await makeReaders(service, COUNT + TRICKS.length + 1 + WAITING);
});
afterAll(async () => {
  await service?.stop();
  await server?.stop();
});

/** So many users whom no other test has. */
const take = (count: number) => made.readers.splice(0, count);
const sweep = () => sendTo(service.url, "/api/sweep", { headers: { Authorization: `Bearer ${service.cronSecret}` } });

test("two processes send what half a dozen users asked for once each", async () => {
  const readers = take(COUNT);
  const answers = new Set<string>();
  for (const [index, { username }] of readers.entries()) {
    for (const name of [username, String(made.without[index]), newUsername()])
      answers.add((await askForLinkAt(service.url, name)).answer);
    if (index % 3 === 0) await Promise.all([sweep(), sweep(), sweep()]);
  }
  expect([...answers]).toHaveLength(1);
  await expect.poll(() => server.received.length).toBe(COUNT);
  await Promise.all([sweep(), sweep()]);
  expect(server.received.map(({ to }) => to).sort()).toEqual(readers.map(({ address }) => address).sort());
});

test("no header of a request gets into a link", async () => {
  const [last, ...readers] = take(TRICKS.length + 1);
  for (const [index, headers] of TRICKS.entries())
    await askForLinkAt(service.url, String(readers[index]?.username), headers).catch(() => {});
  await askForLinkAt(service.url, String(last?.username));
  await server.mailTo(String(last?.address));
  for (const { raw, link } of server.received) {
    expect(raw).not.toContain(EVIL);
    expect(link.startsWith(`${service.url}/recover/link#`)).toBe(true);
  }
});

test("what waits while the mail server is away survives a kill, and is sent when both are back", async () => {
  const readers = take(WAITING);
  const port = Number(new URL(server.url).port);
  await server.stop();
  for (const { username } of readers) await askForLinkAt(service.url, username);
  await sweep();
  await service.kill();
  server = await startMailServer(port);
  await makeDue();
  await service.restart();
  await sweep();
  // A message of an earlier test may come as well.
  const addresses = readers.map(({ address }) => address);
  const arrived = () => server.received.map(({ to }) => to).filter((to) => addresses.includes(to));
  await expect.poll(() => new Set(arrived()).size).toBe(WAITING);
  await sweep();
  expect(arrived()).toHaveLength(WAITING);
});

/** What was tried in vain waits for a minute, and what a killed process was sending for two. */
async function makeDue(): Promise<void> {
  const client = new Client(service.storage.DATABASE_URL);
  await client.connect();
  await client.query(`UPDATE "Mail" SET "nextAt" = "createdAt"`);
  await client.end();
}

test("the log names no address, no link and no password of the mail server", async () => {
  const log = readFileSync(service.logFile, "utf8");
  expect(log).toContain("could not be sent yet");
  expect(log).not.toMatch(/people\.example|right%20horse|right horse|#[\w-]{43}/);
  expect(logFaults(log)).toEqual([]);
});

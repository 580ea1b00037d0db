import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logFaults } from "@/tests/support/log-faults";
import { sendTo } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { newUsername } from "@/tests/support/user";
import { askForLinkAt, makeReaders } from "./ask-service";
import { type MailServer, startMailServer } from "./mail-server";

const COUNT = 50;
const WAIT = { timeout: 60_000 };

let server: MailServer;
let service: RunningService;
beforeAll(async () => {
  server = await startMailServer();
  const variables = { SMTP_URL: server.url.replace("//", "//keys:right%20horse@"), MAIL_FROM: "keys@keys.example" };
  service = await startService({ lane: "direct", database: "postgresql", processes: 2 }, variables);
});
afterAll(async () => {
  await service?.stop();
  await server?.stop();
});

const sweep = () => sendTo(service.url, "/api/sweep", { headers: { Authorization: `Bearer ${service.cronSecret}` } });

test("two processes send what 50 users asked for once each; a name without an address is told the same", async () => {
  const { readers, without } = makeReaders(service, COUNT);
  const answers = new Set<string>();
  for (const [index, { username }] of readers.entries()) {
    for (const name of [username, String(without[index]), newUsername()])
      answers.add((await askForLinkAt(service.url, name)).answer);
    if (index % 10 === 0) await Promise.all([sweep(), sweep(), sweep()]);
  }
  expect([...answers]).toHaveLength(1);
  await expect.poll(() => server.received.length, WAIT).toBe(COUNT);
  await Promise.all([sweep(), sweep()]);
  expect(server.received.map(({ to }) => to).sort()).toEqual(readers.map(({ address }) => address).sort());
});

test("no header of a request gets into a link", async () => {
  const evil = "evil.example";
  const tricks: Record<string, string>[] = [
    { Host: evil },
    { "X-Forwarded-Host": evil, "X-Forwarded-Proto": "https" },
    { Host: evil, Origin: `http://${evil}` },
    { Forwarded: `host=${evil}` },
    { "X-Forwarded-Host": `${evil}, 127.0.0.1`, Referer: `https://${evil}/` },
  ];
  const { readers } = makeReaders(service, tricks.length + 1);
  for (const [index, headers] of tricks.entries())
    await askForLinkAt(service.url, String(readers[index]?.username), headers).catch(() => {});
  const last = readers.at(-1);
  await askForLinkAt(service.url, String(last?.username));
  await server.mailTo(String(last?.address));
  for (const { raw, link } of server.received) {
    expect(raw).not.toContain(evil);
    expect(link.startsWith(`${service.url}/recover/link#`)).toBe(true);
  }
});

test("what waits while the mail server is away survives a kill, and is sent when both are back", async () => {
  const { readers } = makeReaders(service, 5);
  const port = Number(new URL(server.url).port);
  await server.stop();
  for (const { username } of readers) await askForLinkAt(service.url, username);
  await sweep();
  await service.kill();
  server = await startMailServer(port);
  await service.restart();
  // A message of an earlier test may come as well.
  const addresses = readers.map(({ address }) => address);
  const arrived = () => server.received.map(({ to }) => to).filter((to) => addresses.includes(to));
  const sweeping = setInterval(() => void sweep().catch(() => {}), 5_000);
  try {
    await expect.poll(() => new Set(arrived()).size, { timeout: 150_000 }).toBe(5);
  } finally {
    clearInterval(sweeping);
  }
  expect(arrived()).toHaveLength(5);
});

test("the log names no address, no link and no password of the mail server", async () => {
  const log = readFileSync(service.logFile, "utf8");
  expect(log).toContain("could not be sent yet");
  expect(log).not.toMatch(/people\.example|right%20horse|right horse|#[\w-]{43}/);
  expect(logFaults(log)).toEqual([]);
});

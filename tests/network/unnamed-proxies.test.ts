import type { IncomingHttpHeaders } from "node:http";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type { Finding } from "@/lib/operator/doctor/finding";
import { proxies } from "@/lib/operator/doctor/settings";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { frontOf } from "@/server/front";
import { noteProxy } from "@/server/proxy-warnings";

const { NEXTAUTH_URL, TRUSTED_PROXIES } = env;
const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
beforeEach(async () => {
  Object.assign(env, { NEXTAUTH_URL: "https://keys.example.org", TRUSTED_PROXIES: "10.0.0.0/24" });
  await db.auditEvent.deleteMany({ where: { subjectId: "proxies" } });
});
afterAll(() => {
  Object.assign(env, { NEXTAUTH_URL, TRUSTED_PROXIES });
  warn.mockRestore();
});

async function found(now = new Date()): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of proxies(now)) findings.push(finding);
  // What was seen at the same time may be stored in either order.
  return findings.sort((one, other) => (one.problem < other.problem ? -1 : 1));
}

const forward = (trusted: string | undefined, ...peers: string[]) =>
  pass({ "x-forwarded-for": "203.0.113.7" }, trusted, peers);

async function pass(headers: IncomingHttpHeaders, trusted: string | undefined, peers: string[]): Promise<void> {
  const notes: Promise<void>[] = [];
  const front = frontOf(trusted, env.NEXTAUTH_URL, { note: (proxy) => void notes.push(noteProxy(proxy)) });
  for (const peer of peers) {
    const client = front.findClient({ peer, headers, isPassedOn: () => true });
    front.warnings({ url: "/", headers: {} }, client, { proto: undefined, host: undefined, isOurs: true });
  }
  await Promise.all(notes);
}

test("doctor, another process, names a proxy that the service saw and nobody named, and what to set", async () => {
  await forward(env.TRUSTED_PROXIES, "172.18.0.1", "172.18.0.1", "172.18.0.2", "127.0.0.1");
  expect(await found()).toEqual([
    expect.objectContaining({
      problem: expect.stringContaining("through 127.0.0.1,"),
      advice: "If it is a proxy of yours, set TRUSTED_PROXIES=10.0.0.0/24,loopback.",
    }),
    expect.objectContaining({
      problem: expect.stringContaining("through 172.18.0.1,"),
      advice: "If it is a proxy of yours, set TRUSTED_PROXIES=10.0.0.0/24,172.18.0.1.",
    }),
  ]);
});

test("a silent proxy is reported as one, named or not, with what would help", async () => {
  await pass({}, env.TRUSTED_PROXIES, ["127.0.0.1", "127.0.0.1", "10.0.0.5"]);
  expect(await found()).toEqual([
    expect.objectContaining({
      problem: expect.stringMatching(/^Requests without a client address came through 10\.0\.0\.5, last noticed at 20/),
      advice: expect.stringMatching(/^Have the proxy send X-Forwarded-For\. A tunnel/),
    }),
    expect.objectContaining({
      problem: expect.stringContaining("client address came through 127.0.0.1"),
      advice: expect.stringContaining("X-Forwarded-For, and set TRUSTED_PROXIES=10.0.0.0/24,loopback."),
    }),
  ]);
  expect(await found(new Date(Date.now() + 8 * 86_400_000))).toEqual([]);
});

test("and says no more of it once it is named, or after a week", async () => {
  await forward(undefined, "10.0.0.5");
  expect(await found()).toEqual([]);
  await forward(undefined, "172.18.0.1");
  expect(await found(new Date(Date.now() + 6 * 86_400_000))).toHaveLength(1);
  expect(await found(new Date(Date.now() + 8 * 86_400_000))).toEqual([]);
});

test("whoever writes headers from the internet leaves nothing behind, and others one row a kind at most", async () => {
  const three = (last: number) => [`198.51.100.${last}`, `172.20.0.${last}`, `127.0.0.${last + 1}`];
  await forward(undefined, ...Array.from({ length: 100 }, (_, last) => three(last)).flat());
  const noted = await db.auditEvent.findMany({ where: { subjectId: "proxies" } });
  expect(noted.map(({ detail }) => JSON.parse(detail).proxy).sort()).toEqual(["127.0.0.1", "172.20.0.0"]);
});

test("of an https address, doctor sees by the configuration alone that a proxy is in front", async () => {
  env.TRUSTED_PROXIES = undefined;
  const problem = expect.stringContaining("NEXTAUTH_URL is https");
  const advice = expect.stringMatching(/^Set TRUSTED_PROXIES to the address/);
  expect(await found()).toEqual([{ check: "proxies", problem, advice }]);
});

test("a proxy is reported however many edges people pretend to be since, in however many processes", async () => {
  await forward(undefined, "172.18.0.1");
  const pretended = Array.from({ length: 8 }, (_, last) => `198.51.100.${last}`);
  for (let process = 0; process < 6; process++)
    for (const address of pretended) await noteProxy({ proxy: address, isSilent: false, header: "X-Real-IP" });
  const problems = (await found()).map(({ problem }) => problem);
  expect(problems).toContainEqual(expect.stringContaining("through 172.18.0.1,"));
  expect(problems).toHaveLength(9);
  for (let last = 100; last < 130; last++)
    await noteProxy({ proxy: `198.51.100.${last}`, isSilent: false, header: "X-Real-IP" });
  expect(await found()).toHaveLength(21);
});

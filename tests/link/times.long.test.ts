import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { drawCode } from "@/lib/link/code";
import { newNetwork } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { median, noise, quantile, shuffle, spread } from "./flow";

const COUNT = 500;
const WARM_UP = 200;
const AT_ONCE = 20;
const STATES = ["--import", "tsx", "tests/link/make-states.ts"];
const say = (line: string) => process.stdout.write(`${line}\n`);
const unknown = () => Array.from({ length: COUNT }, drawCode);

interface Timed {
  answer: string;
  ms: number;
}

/** What a stranger is told, but for date and request id, and after how many ms. */
function timed(agent: Agent | undefined, address: string, headers: Record<string, string> = {}): Promise<Timed> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const asking = { agent, headers: { "X-Forwarded-For": newNetwork().id, ...headers } };
    const sent = request(address, asking, async (response) => {
      const body = await text(response);
      const ms = performance.now() - started;
      const { date, "x-request-id": id, ...others } = response.headers;
      resolve({ answer: JSON.stringify([response.statusCode, others, body]), ms });
    });
    sent.on("error", reject).end();
  });
}

async function expectAlike(
  name: string,
  codes: Record<string, string[]>,
  atOnce: number,
  ask: (code: string) => Promise<Timed>,
  before: (codes: string[]) => void = () => {},
): Promise<string> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(codes).map((kind) => [kind, []]));
  const answers = new Set<string>();
  const questions = shuffle(Object.entries(codes).flatMap(([kind, each]) => each.map((code) => ({ kind, code }))));
  for (let from = 0; from < questions.length; from += atOnce) {
    const asked = questions.slice(from, from + atOnce);
    before(asked.map(({ code }) => code));
    await Promise.all(
      asked.map(async ({ kind, code }) => {
        const { answer, ms } = await ask(code);
        answers.add(answer);
        times[kind]?.push(ms);
      }),
    );
  }
  const groups = Object.values(times);
  const all = groups.flat();
  say(`${name}: medians in ms of ${COUNT} answers each, in shuffled order`);
  for (const [kind, each] of Object.entries(times)) say(`  ${median(each).toFixed(3)}  ${kind}`);
  say(`  they differ by ${spread(groups).toFixed(3)}; chance alone makes up to ${noise(groups).toFixed(3)}`);
  expect(answers.size).toBe(1);
  // Only what holds on a busy machine too: no kind stands out from what single answers differ by anyway.
  expect(spread(groups)).toBeLessThan(quantile(all, 0.75) - quantile(all, 0.25));
  return String([...answers][0]);
}

describe.each(["sqlite", "postgresql"] as const)("on %s a stranger learns nothing of a code", (database) => {
  async function withService(work: (service: RunningService, run: { env: NodeJS.ProcessEnv }) => Promise<void>) {
    const service = await startService({ lane: "direct", database });
    try {
      await work(service, { env: { ...process.env, DATABASE_URL: "", ...service.storage, LOG_LEVEL: "silent" } });
    } finally {
      await service.stop();
    }
  }

  test("from its answer, nor from how long that takes", () =>
    withService(async ({ url }, run) => {
      const made = execFileSync(process.execPath, [...STATES, String(COUNT)], { ...run, input: "", maxBuffer: 1e8 });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ask = (code: string) => timed(agent, `${url}/link/user?code=${code}`);
      for (let each = 0; each < WARM_UP; each++) await ask(drawCode());
      const codes = { unknown: unknown(), ...JSON.parse(made.toString()) };
      expect(await expectAlike(database, codes, 1, ask)).toMatch(/^\[404,/);
      agent.destroy();
    }));

  test("while waiting, whatever happens to it meanwhile", () =>
    withService(async ({ url }, run) => {
      const decider = spawn(process.execPath, [...STATES, String(COUNT)], {
        ...run,
        stdio: ["pipe", "pipe", "inherit"],
      });
      const { value } = await createInterface({ input: decider.stdout })[Symbol.asyncIterator]().next();
      const codes = { "decided meanwhile": JSON.parse(String(value)).pending, unknown: unknown() };
      const answer = await expectAlike(
        database,
        codes,
        AT_ONCE,
        (code) => timed(undefined, `${url}/link/status?code=${code}`, { Prefer: "wait=1" }),
        (asked) => decider.stdin.write(`${asked.join(" ")}\n`),
      );
      expect(answer).toMatch(/^\[404,.*"wait=1"/);
      decider.stdin.end();
      await once(decider, "close");
    }));
});

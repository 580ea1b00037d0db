import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { drawCode } from "@/lib/link/code";
import { askForLinkAt, makeReaders, startMailServer } from "@/tests/mail/mail-server";
import { callAction } from "@/tests/support/call-action";
import { newNetwork } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { newUsername } from "@/tests/support/user";

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

/**
 * Asks as the attempts say, in shuffled order, so many at once: their answers are one, and take as long whatever their
 * kind is.
 */
async function expectAlike<Attempt extends { kind: string }>(
  name: string,
  attempts: Attempt[],
  ask: (one: Attempt) => Promise<Timed>,
  { atOnce = 1, before = (_: Attempt[]) => {} } = {},
): Promise<string> {
  const times: Record<string, number[]> = {};
  const answers = new Set<string>();
  shuffle(attempts);
  for (let from = 0; from < attempts.length; from += atOnce) {
    const asked = attempts.slice(from, from + atOnce);
    before(asked);
    await Promise.all(
      asked.map(async (attempt) => {
        const { answer, ms } = await ask(attempt);
        answers.add(answer);
        times[attempt.kind] = [...(times[attempt.kind] ?? []), ms];
      }),
    );
  }
  const groups = Object.values(times);
  say(`${name}: medians in ms of ${COUNT} answers each, in shuffled order`);
  for (const [kind, each] of Object.entries(times)) say(`  ${median(each).toFixed(3)}  ${kind}`);
  say(`  they differ by ${spread(groups).toFixed(3)}; chance alone makes up to ${noise(groups).toFixed(3)}`);
  expect(answers.size, [...answers].join("\n")).toBe(1);
  // Only what holds on a busy machine too: no kind stands out from what single answers differ by anyway.
  const all = groups.flat();
  expect(spread(groups)).toBeLessThan(quantile(all, 0.75) - quantile(all, 0.25));
  return [...answers].join();
}

const SPLITS = 1_000;

function shuffle<T>(values: T[]): T[] {
  for (let last = values.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [values[last], values[other]] = [values[other] as T, values[last] as T];
  }
  return values;
}

function quantile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? Number.NaN;
}

const median = (values: number[]) => quantile(values, 0.5);
const spread = (groups: number[][]) => Math.max(...groups.map(median)) - Math.min(...groups.map(median));

/** How far apart the medians of as many groups lie when chance alone has put the times into them, 95 times in 100. */
function noise(groups: number[][]): number {
  const all = groups.flat();
  const count = all.length / groups.length;
  const byChance = Array.from({ length: SPLITS }, () => {
    shuffle(all);
    return spread(groups.map((_, index) => all.slice(index * count, (index + 1) * count)));
  });
  return quantile(byChance, 0.95);
}

/** What a stranger tries, by the codes of each kind. */
const attemptsOf = (codes: Record<string, string[]>) =>
  Object.entries(codes).flatMap(([kind, each]) => each.map((code) => ({ kind, code })));

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
      const ask = ({ code }: { code: string }) => timed(agent, `${url}/link/user?code=${code}`);
      for (let each = 0; each < WARM_UP; each++) await ask({ code: drawCode() });
      const codes = { unknown: unknown(), ...JSON.parse(made.toString()) };
      expect(await expectAlike(database, attemptsOf(codes), ask)).toMatch(/^\[404,/);
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
        attemptsOf(codes),
        ({ code }) => timed(undefined, `${url}/link/status?code=${code}`, { Prefer: "wait=1" }),
        {
          atOnce: AT_ONCE,
          before: (asked) => void decider.stdin.write(`${asked.map(({ code }) => code).join(" ")}\n`),
        },
      );
      expect(answer).toMatch(/^\[404,.*"wait=1"/);
      decider.stdin.end();
      await once(decider, "close");
    }));
});

test.each(["sqlite", "postgresql"] as const)(
  "on %s a wrong recovery code tells nothing of the account",
  async (database) => {
    const service = await startService({ lane: "direct", database });
    try {
      const env = { ...process.env, DATABASE_URL: "", ...service.storage, LOG_LEVEL: "silent" };
      const program = ["--import", "tsx", "tests/recovery/people.ts", String(COUNT)];
      const attempts: { kind: string; username: string; code: string }[] = JSON.parse(
        execFileSync(process.execPath, program, { env, maxBuffer: 1 << 28 }).toString(),
      );
      const answer = await expectAlike(database, attempts, async ({ username, code }) => {
        const proof = { through: "code", username, code };
        const started = performance.now();
        const sent = await callAction(service.url, "/recover", "previewRecovery", [proof], {
          network: newNetwork().id,
        });
        const ms = performance.now() - started;
        return { answer: `${sent.status} ${/\{"error".*\}/.exec(sent.text)?.[0] ?? sent.text}`, ms };
      });
      expect(answer).toMatch(/^200 \{"error":"The username or the code is wrong/);
    } finally {
      await service.stop();
    }
  },
);

test.each(["sqlite", "postgresql"] as const)(
  "on %s asking for a link by e-mail tells nothing of the account",
  async (database) => {
    const server = await startMailServer();
    const variables = { SMTP_URL: server.url, MAIL_FROM: "keys@keys.example", LOG_LEVEL: "silent" };
    const [named, headers]: Record<string, string>[] =
      database === "sqlite"
        ? [{ NEXTAUTH_URL: "http://keys.example" }, { Host: "keys.example", Origin: "http://keys.example" }]
        : [{}, {}];
    const service = await startService({ lane: "direct", database }, { ...variables, ...named });
    try {
      const { readers, without } = await makeReaders(service, COUNT);
      const attempts = [
        ...readers.map(({ username }) => ({ kind: "a verified address", username })),
        ...without.map((username) => ({ kind: "no address", username })),
        ...Array.from({ length: COUNT }, () => ({ kind: "nobody", username: newUsername() })),
      ];
      const ask = ({ username }: { username: string }) => askForLinkAt(service.url, username, headers);
      const answer = await expectAlike(database, attempts, ask);
      expect(answer).not.toContain("error");
      await expect.poll(() => server.received.length, { timeout: 60_000 }).toBe(COUNT);
    } finally {
      await service.stop();
      await server.stop();
    }
  },
);

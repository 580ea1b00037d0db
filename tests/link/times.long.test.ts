import { execFileSync } from "node:child_process";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { drawLetters } from "@/lib/link/letters";
import { newNetwork } from "@/tests/support/network";
import { startService } from "@/tests/support/service";
import { median, noise, quantile, shuffle, spread } from "./medians";

const COUNT = 500;
const say = (line: string) => process.stdout.write(`${line}\n`);
const WARM_UP = 200;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** What a stranger is told of a code, but for date and request id, and after how many ms. */
function timed(url: string, code: string): Promise<{ answer: string; ms: number }> {
  const headers = { "X-Forwarded-For": newNetwork().id };
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/link/user?code=${code}`, { agent, headers }, async (response) => {
      const body = await text(response);
      const ms = performance.now() - started;
      const { date, "x-request-id": id, ...others } = response.headers;
      resolve({ answer: JSON.stringify([response.statusCode, others, body]), ms });
    });
    sent.on("error", reject).end();
  });
}

test.each(["sqlite", "postgresql"] as const)(
  "on %s a stranger learns nothing of a code from its answer, nor from how long that takes",
  async (database) => {
    const service = await startService({ lane: "direct", database });
    try {
      const states = execFileSync(
        process.execPath,
        ["--import", "tsx", "tests/support/link-states.ts", String(COUNT)],
        {
          env: { ...process.env, DATABASE_URL: "", ...service.storage, LOG_LEVEL: "silent" },
          maxBuffer: 1e8,
        },
      );
      const codes: Record<string, string[]> = {
        unknown: Array.from({ length: COUNT }, drawLetters),
        ...JSON.parse(states.toString()),
      };
      const times: Record<string, number[]> = Object.fromEntries(Object.keys(codes).map((kind) => [kind, []]));
      const answers = new Set<string>();
      for (let each = 0; each < WARM_UP; each++) await timed(service.url, drawLetters());
      for (const { kind, code } of shuffle(
        Object.entries(codes).flatMap(([kind, each]) => each.map((code) => ({ kind, code }))),
      )) {
        const { answer, ms } = await timed(service.url, code);
        answers.add(answer);
        times[kind]?.push(ms);
      }

      const groups = Object.values(times);
      const all = groups.flat();
      say(`${database}: medians in ms of ${COUNT} answers each, in shuffled order`);
      for (const [kind, each] of Object.entries(times)) say(`  ${median(each).toFixed(3)}  ${kind}`);
      say(`  they differ by ${spread(groups).toFixed(3)}; chance alone makes up to ${noise(groups).toFixed(3)}`);
      expect(answers.size).toBe(1);
      expect([...answers][0]).toMatch(/^\[404,/);
      // Only what holds on a busy machine too: no kind stands out from what single answers differ by anyway.
      expect(spread(groups)).toBeLessThan(quantile(all, 0.75) - quantile(all, 0.25));
    } finally {
      agent.destroy();
      await service.stop();
    }
  },
);

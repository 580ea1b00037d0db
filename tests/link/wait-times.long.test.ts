import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { drawLetters } from "@/lib/link/letters";
import { newNetwork } from "@/tests/support/network";
import { sendTo } from "@/tests/support/request";
import { startService } from "@/tests/support/service";
import { median, noise, quantile, shuffle, spread } from "./medians";

const COUNT = 500;
const say = (line: string) => process.stdout.write(`${line}\n`);
const AT_ONCE = 20;

/** What a stranger is told who waits a second, but for date and request id, and after how many ms. */
async function timed(url: string, code: string): Promise<{ answer: string; ms: number }> {
  const started = performance.now();
  const asking = { query: { code }, network: newNetwork().id, headers: { Prefer: "wait=1" } };
  const { status, text, headers } = await sendTo(url, "/link/status", asking);
  const ms = performance.now() - started;
  return { answer: JSON.stringify([status, text, { ...headers, date: "", "x-request-id": "" }]), ms };
}

test.each(["sqlite", "postgresql"] as const)(
  "on %s a stranger who waits learns nothing of a code, nor of what happens to it meanwhile",
  async (database) => {
    const service = await startService({ lane: "direct", database });
    try {
      const run = { env: { ...process.env, DATABASE_URL: "", ...service.storage, LOG_LEVEL: "silent" } };
      const program = ["--import", "tsx", "tests/link/wait-states.ts"];
      const decided: string[] = JSON.parse(execFileSync(process.execPath, [...program, String(COUNT)], run).toString());
      const kinds = [
        ...decided.map((code) => ({ kind: "decided meanwhile", code })),
        ...Array.from({ length: COUNT }, () => ({ kind: "unknown", code: drawLetters() })),
      ];
      const questions = shuffle(kinds);
      const decider = spawn(process.execPath, program, { ...run, stdio: ["pipe", "ignore", "inherit"] });
      const times: Record<string, number[]> = { "decided meanwhile": [], unknown: [] };
      const answers = new Set<string>();
      for (let from = 0; from < questions.length; from += AT_ONCE) {
        const asked = questions.slice(from, from + AT_ONCE);
        decider.stdin.write(`${asked.map(({ code }) => code).join(" ")}\n`);
        await Promise.all(
          asked.map(async ({ kind, code }) => {
            const { answer, ms } = await timed(service.url, code);
            answers.add(answer);
            times[kind]?.push(ms);
          }),
        );
      }
      decider.stdin.end();
      await once(decider, "close");

      const groups = Object.values(times);
      say(`${database}: medians in ms of ${COUNT} answers each, in shuffled order`);
      for (const [kind, each] of Object.entries(times)) say(`  ${median(each).toFixed(3)}  ${kind}`);
      say(`  they differ by ${spread(groups).toFixed(3)}; chance alone makes up to ${noise(groups).toFixed(3)}`);
      expect([...answers]).toEqual([expect.stringMatching(/^\[404,.*"wait=1"/)]);
      // Only what holds on a busy machine too: no kind stands out from what single answers differ by anyway.
      const all = groups.flat();
      expect(spread(groups)).toBeLessThan(quantile(all, 0.75) - quantile(all, 0.25));
    } finally {
      await service.stop();
    }
  },
);

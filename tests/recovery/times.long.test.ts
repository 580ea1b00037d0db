import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { median, noise, quantile, shuffle, spread } from "@/tests/link/medians";
import { callAction } from "@/tests/support/call-action";
import { newNetwork } from "@/tests/support/network";
import { startService } from "@/tests/support/service";

const COUNT = 500;
const say = (line: string) => process.stdout.write(`${line}\n`);

interface Attempt {
  kind: string;
  username: string;
  code: string;
}

/** What the page is told of an attempt, but for date and request id, and after how many ms. */
async function timed(url: string, { username, code }: Attempt): Promise<{ answer: string; ms: number }> {
  const proof = { through: "code", username, code };
  const started = performance.now();
  const sent = await callAction(url, "/recover", "lookAtRecovery", [proof], { network: newNetwork().id });
  const ms = performance.now() - started;
  const told = /\{"error".*\}/.exec(sent.text)?.[0] ?? sent.text;
  return { answer: `${sent.status} ${told}`, ms };
}

test.each(["sqlite", "postgresql"] as const)(
  "on %s a wrong recovery code tells nothing of the account",
  async (database) => {
    const service = await startService({ lane: "direct", database });
    try {
      const run = { env: { ...process.env, DATABASE_URL: "", ...service.storage, LOG_LEVEL: "silent" } };
      const program = ["--import", "tsx", "tests/recovery/people.ts", String(COUNT)];
      const made = execFileSync(process.execPath, program, { ...run, maxBuffer: 1 << 28 }).toString();
      const attempts: Attempt[] = shuffle(JSON.parse(made));
      const times: Record<string, number[]> = {};
      const answers = new Set<string>();
      for (const attempt of attempts) {
        const { answer, ms } = await timed(service.url, attempt);
        answers.add(answer);
        times[attempt.kind] = [...(times[attempt.kind] ?? []), ms];
      }

      const groups = Object.values(times);
      say(`${database}: medians in ms of ${COUNT} answers each, in shuffled order`);
      for (const [kind, each] of Object.entries(times)) say(`  ${median(each).toFixed(3)}  ${kind}`);
      say(`  they differ by ${spread(groups).toFixed(3)}; chance alone makes up to ${noise(groups).toFixed(3)}`);
      expect([...answers]).toEqual([expect.stringMatching(/^200 \{"error":"The username or the code is wrong/)]);
      // Only what holds on a busy machine too: no kind stands out from what single answers differ by anyway.
      const all = groups.flat();
      expect(spread(groups)).toBeLessThan(quantile(all, 0.75) - quantile(all, 0.25));
    } finally {
      await service.stop();
    }
  },
);

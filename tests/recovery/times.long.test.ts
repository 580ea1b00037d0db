import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { median, noise, quantile, shuffle, spread } from "@/tests/link/flow";
import { askForLinkAt, makeReaders, startMailServer } from "@/tests/mail/mail-server";
import { callAction } from "@/tests/support/call-action";
import { newNetwork } from "@/tests/support/request";
import { startService } from "@/tests/support/service";
import { newUsername } from "@/tests/support/user";

const COUNT = 500;
const say = (line: string) => process.stdout.write(`${line}\n`);

type Told = Promise<{ answer: string; ms: number }>;

async function expectAlike<Attempt extends { kind: string }>(attempts: Attempt[], ask: (one: Attempt) => Told) {
  const times: Record<string, number[]> = {};
  const answers = new Set<string>();
  for (const attempt of shuffle(attempts)) {
    const { answer, ms } = await ask(attempt);
    answers.add(answer);
    times[attempt.kind] = [...(times[attempt.kind] ?? []), ms];
  }
  const groups = Object.values(times);
  say(`medians in ms of ${COUNT} answers each, in shuffled order`);
  for (const [kind, each] of Object.entries(times)) say(`  ${median(each).toFixed(3)}  ${kind}`);
  say(`  they differ by ${spread(groups).toFixed(3)}; chance alone makes up to ${noise(groups).toFixed(3)}`);
  expect(answers.size, [...answers].join("\n")).toBe(1);
  // Only what holds on a busy machine too: no kind stands out from what single answers differ by anyway.
  const all = groups.flat();
  expect(spread(groups)).toBeLessThan(quantile(all, 0.75) - quantile(all, 0.25));
  return [...answers].join();
}

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
      const answer = await expectAlike(attempts, async ({ username, code }) => {
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
      const answer = await expectAlike(attempts, ({ username }) => askForLinkAt(service.url, username, headers));
      expect(answer).not.toContain("error");
      await expect.poll(() => server.received.length, { timeout: 60_000 }).toBe(COUNT);
    } finally {
      await service.stop();
      await server.stop();
    }
  },
);

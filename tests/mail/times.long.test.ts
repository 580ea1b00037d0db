import { expect, test } from "vitest";
import { median, noise, quantile, shuffle, spread } from "@/tests/link/medians";
import { startService } from "@/tests/support/service";
import { newUsername } from "@/tests/support/user";
import { askForLinkAt, makeReaders } from "./ask-service";
import { startMailServer } from "./mail-server";

const COUNT = 500;
const say = (line: string) => process.stdout.write(`${line}\n`);

test.each(["sqlite", "postgresql"] as const)(
  "on %s asking for a link tells nothing of the account",
  async (database) => {
    const server = await startMailServer();
    const variables = { SMTP_URL: server.url, MAIL_FROM: "keys@keys.example", LOG_LEVEL: "silent" };
    const address: Record<string, string> = database === "sqlite" ? { NEXTAUTH_URL: "http://keys.example" } : {};
    const service = await startService({ lane: "direct", database }, { ...variables, ...address });
    try {
      const { readers, without } = makeReaders(service, COUNT);
      const attempts = shuffle([
        ...readers.map(({ username }) => ({ kind: "a verified address", username })),
        ...without.map((username) => ({ kind: "no address", username })),
        ...Array.from({ length: COUNT }, () => ({ kind: "nobody", username: newUsername() })),
      ]);
      const times: Record<string, number[]> = {};
      const answers = new Set<string>();
      const headers: Record<string, string> =
        database === "sqlite" ? { Host: "keys.example", Origin: "http://keys.example" } : {};
      for (const { kind, username } of attempts) {
        const { answer, ms } = await askForLinkAt(service.url, username, headers);
        answers.add(answer);
        times[kind] = [...(times[kind] ?? []), ms];
      }
      const groups = Object.values(times);
      say(`${database}: medians in ms of ${COUNT} answers each, in shuffled order`);
      for (const [kind, each] of Object.entries(times)) say(`  ${median(each).toFixed(3)}  ${kind}`);
      say(`  they differ by ${spread(groups).toFixed(3)}; chance alone makes up to ${noise(groups).toFixed(3)}`);
      expect(answers.size).toBe(1);
      expect([...answers][0]).not.toContain("error");
      await expect.poll(() => server.received.length, { timeout: 60_000 }).toBe(COUNT);
      // Only what holds on a busy machine too: no kind stands out from what single answers differ by anyway.
      const all = groups.flat();
      expect(spread(groups)).toBeLessThan(quantile(all, 0.75) - quantile(all, 0.25));
    } finally {
      await service.stop();
      await server.stop();
    }
  },
);

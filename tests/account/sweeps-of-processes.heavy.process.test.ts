import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { runScript } from "@/tests/support/admin";
import { bundled } from "@/tests/support/bundle";
import { ownDatabase } from "@/tests/support/own-database";

const PROCESSES = 3;
/** The last event is two minutes old: settled. */
const SIZE = { users: 3_000, keys: 5_000, events: 120_000 };

/** A process that is ready to sweep. Returns what tells it to, and answers what it came to. */
async function sweeper(env: NodeJS.ProcessEnv) {
  const script = await bundled("tests/support/sweep-when-told.ts");
  const child = spawn(process.execPath, [script], { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return async (): Promise<{ began: number; ended: number; counted: number }> => {
    child.stdin.end();
    return JSON.parse((await lines.next()).value);
  };
}

describe.each(["sqlite", "postgresql"] as const)("several processes that sweep at once, on %s", (kind) => {
  test("count each event, user and key once", async () => {
    const database = await ownDatabase(kind);
    try {
      const env = { PATH: process.env.PATH, NODE_ENV: "production" as const, NEXTAUTH_URL: "https://keys.example.org" };
      const environment = { ...env, ...database.environment };
      const answerOf = async (script: string, sent: string[]) => {
        const { status, stdout, stderr } = await runScript(script, sent, environment);
        expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
        return stdout.trim().split("\n");
      };
      const lines = async (...sent: string[]) =>
        (await answerOf("scripts/admin.ts", sent)).map((line) => JSON.parse(line));
      const size = Object.entries(SIZE).flatMap(([name, count]) => [`--${name}`, String(count)]);
      await answerOf("scripts/seed-console.ts", ["--yes", ...size]);

      const sweepers = await Promise.all(Array.from({ length: PROCESSES }, () => sweeper(environment)));
      const sweeps = await Promise.all(sweepers.map((sweep) => sweep()));
      expect(Math.max(...sweeps.map(({ began }) => began))).toBeLessThan(Math.min(...sweeps.map(({ ended }) => ended)));

      const [stats] = await lines("stats", "--days", "400");
      const signIns = stats.days.reduce((sum: number, day: { signIns: number }) => sum + day.signIns, 0);
      const events = await lines("audit", "--action", "user.signin", "--format", "json");
      expect(signIns).toBe(events.at(-1).events);
      expect(signIns).toBeGreaterThan(SIZE.events / 10);

      const users = await lines("user:list", "--json", "--limit", String(SIZE.users));
      expect(users).toHaveLength(SIZE.users);
      const sumOf = (name: string) => users.reduce((sum, user) => sum + user[name], 0);
      expect([sumOf("keys"), sumOf("keyBytes")]).toEqual([SIZE.keys, SIZE.keys * 13]);
    } finally {
      await database.release();
    }
  });
});

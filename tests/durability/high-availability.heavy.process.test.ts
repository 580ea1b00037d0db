import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { descendants } from "@/scripts/cluster/supervised";
import { survivesBreaking } from "@/tests/support/cluster-rounds";

/** The lease of a primary takes 20 seconds to end. */
const LONGEST_SECONDS = 60;
const THREE_MINUTES = 180_000;
const FOUR_MINUTES = 240_000;

test("a cluster whose primary is killed loses nothing acknowledged, and works again by itself", async () => {
  const { rounds } = await survivesBreaking(["primary killed"]);
  expect(rounds.filter(({ seconds }) => seconds > LONGEST_SECONDS)).toEqual([]);
});

test("npm run cluster starts it all, says how to break it, and ends it all", { timeout: FOUR_MINUTES }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-cluster-"));
  const command = spawn(process.execPath, ["--import", "tsx", "scripts/cluster.ts", folder], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(command, "exit");
  onTestFinished(async () => {
    command.kill();
    await ended;
    rmSync(folder, { recursive: true });
  });
  let said = "";
  command.stderr.on("data", (words) => (said += words));
  await expect.poll(() => said, { timeout: THREE_MINUTES }).toContain("To kill the primary: kill -9");
  const [, url] = /Latchkey is at (\S+)/.exec(said) ?? [];
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  const started = descendants(command.pid ?? 0);
  command.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  // A helper of the program that runs TypeScript may end a moment later.
  await expect.poll(() => started.filter(isRunning)).toEqual([]);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

import { execFile, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase, dropDatabase } from "@/scripts/postgres";
import { freePort } from "@/scripts/scratch-server";
import { get } from "@/tests/server/service";
import { acquirePostgres } from "@/tests/support/databases";

const parametersFor = (program: string) => ["--import", "tsx", "--input-type=module", "--eval", program];
const env = { PATH: process.env.PATH, NODE_ENV: "test" as const, LOG_LEVEL: "info", LOG_FORMAT: "json" };

const childrenOf = (pid = 0) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter((child) => child !== "");

/** Runs code of ours in its own process. Returns what it printed. */
const run = (program: string) => promisify(execFile)(process.execPath, parametersFor(program), { env });

const CONSOLE = `
import { consoleToLog } from "@/server/log";
consoleToLog();
console.log(" \\u001b[32m✓\\u001b[39m Running next.config.mjs took %dms", 65);
console.warn("two\\nlines");
console.error(new Error("a fault"));
`;

test("what Next and packages print through the console is a line of the log like any other", async () => {
  const { stdout, stderr } = await run(CONSOLE);
  expect(stderr).toBe("");
  const lines = stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line)).map(({ level, printed }) => [level, printed])).toEqual([
    [30, "✓ Running next.config.mjs took 65ms"],
    [40, "two\nlines"],
    [50, expect.stringContaining("Error: a fault")],
  ]);
});

const FAULTS = `
import { outliveFaults } from "@/server/log";
outliveFaults();
setTimeout(() => { throw new Error("the first"); });
setTimeout(() => Promise.reject(new Error("the second")), 10);
setTimeout(() => console.log("still here"), 50);
`;

test("what fails outside of a request is written down, and the process goes on", async () => {
  const { stdout } = await run(FAULTS);
  for (const text of ["the first", "the second", "still here"]) expect(stdout).toContain(text);
});

const LOGGING = `
import { outliveFaults } from "@/server/log";
import { log } from "@/lib/platform/log";
outliveFaults();
for (let count = 0; count < 100; count++) log.warn("nobody reads this");
setTimeout(() => process.stderr.write("still here"), 50);
`;

test("a log whose disk is full ends nothing", () => {
  // Linux's device on which there is never room.
  const stdio = ["ignore", openSync("/dev/full", "w"), "pipe"] as const;
  const { status, stderr } = spawnSync(process.execPath, parametersFor(LOGGING), { env, stdio: [...stdio] });
  expect([status, String(stderr)]).toEqual([0, "still here"]);
});

const STALLED = `
import { log } from "@/lib/platform/log";
const words = "nobody reads this ".repeat(50);
for (let count = 0; count < 5_000; count++) log.warn(words);
process.stderr.write("still here");
process.stdin.once("data", () => {
  log.warn("read again");
  process.stdin.destroy();
});
`;

test("a log whose reader stands still stops nothing, and then says what is missing", async () => {
  const child = spawn(process.execPath, parametersFor(STALLED), { env, stdio: "pipe" });
  expect(String((await once(child.stderr, "data"))[0])).toBe("still here");
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  // What waited arrives first: a process that ends does not wait for its reader.
  for (let before = -1; text.length > before; await sleep(1_000)) before = text.length;
  child.stdin.end("go on");
  await once(child, "close");
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.slice(-2).map(({ msg }) => msg)).toEqual(["read again", "lines could not be written"]);
  const lost = lines.reduce((sum, line) => sum + (line.lost ?? 0), 0);
  expect(lines.filter(({ msg }) => msg.startsWith("nobody")).length + lost).toBe(5_000);
});

test.each(["json", "pretty"])("a log whose reader is gone ends nothing, and says so once: %s", async (format) => {
  const child = spawn(process.execPath, parametersFor(LOGGING), { env: { ...env, LOG_FORMAT: format }, stdio: "pipe" });
  child.stdout.destroy();
  let said = "";
  child.stderr.on("data", (chunk) => (said += chunk));
  expect(await once(child, "close")).toEqual([0, null]);
  expect(said).toBe("The program that reads the log has ended: from here on, nothing is logged.\nstill here");
});

test("a reader of all that several processes print, once gone, ends none of them", async () => {
  const { url, release } = await acquirePostgres();
  onTestFinished(release);
  const database = `latchkey_test_${randomBytes(6).toString("hex")}`;
  onTestFinished(() => dropDatabase(url, database));
  const port = await freePort();
  const settings = {
    ...{ ...env, WEB_CONCURRENCY: "2" },
    ...{ DATABASE_URL: await createDatabase(url, database), AUTH_SECRET: randomBytes(32).toString("base64url") },
    ...{ HOST: "127.0.0.1", PORT: String(port), NEXTAUTH_URL: `http://127.0.0.1:${port}` },
  };
  const child = spawn("sh", ["-c", `exec "${process.execPath}" scripts/start.mjs 2>&1`], {
    env: settings,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  await vi.waitFor(() => expect(said).toContain("running at"), 120_000);

  child.stdout.destroy();
  // The first process logs the end of each other.
  for (const former of childrenOf(child.pid)) {
    process.kill(Number(former), "SIGKILL");
    await expect.poll(() => childrenOf(child.pid).filter((pid) => pid !== former)).toHaveLength(2);
  }
  await vi.waitFor(async () => expect((await get(port, "/health")).status).toBe(200), 30_000);
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
});

const NAME = "a\u009b2J\u001b[31m\u202eb\u061c\\u001b\\";
const MESSAGE = "f\u0085g\u001bh";
const HOSTILE = `
import { log } from "@/lib/platform/log";
log.warn({ name: ${JSON.stringify(NAME)}, err: new Error("c\\u009bd\\u001be") }, ${JSON.stringify(MESSAGE)});
`;

test.each(["json", "pretty"])(
  "what others wrote does nothing to the terminal that shows the log: %s",
  async (format) => {
    const child = await promisify(execFile)(process.execPath, parametersFor(HOSTILE), {
      env: { ...env, LOG_FORMAT: format },
    });
    expect(child.stderr).toBe("");
    // pino-pretty's own colours, which it uses at a terminal only.
    expect(child.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u202e]/);
    if (format === "json")
      expect(JSON.parse(child.stdout)).toMatchObject({
        name: NAME,
        msg: MESSAGE,
      });
    else for (const words of ["f\\u0085g\\u001bh", "2J", "[31m"]) expect(child.stdout).toContain(words);
  },
);

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startPostgres } from "@/scripts/postgres";
import { unprivilegedUser } from "@/scripts/scratch-server";
import { tellPostgres } from "@/tests/support/databases";
import { descendants } from "./cluster";
import { readSamples } from "./samples";

/** What Patroni calls to copy and to rewind a database, when something fails in the middle. */

const SETTINGS = ["fsync=off", "wal_log_hints=on", "wal_keep_size=1GB"];
const asUser = unprivilegedUser();
const SOON = { timeout: 60_000, interval: 5 };

/** An empty folder with one of the programs of docs/high-availability. */
async function folderWith(name: string): Promise<{ folder: string; program: string }> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-copies-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o777);
  const program = join(folder, name);
  writeFileSync(program, await readSamples(folder, async (_, port) => port).text(name, "db1"), { mode: 0o755 });
  return { folder, program };
}

async function startServer(standbyOf?: string) {
  const server = await startPostgres(SETTINGS, standbyOf);
  onTestFinished(() => server.stop());
  return server;
}

const tell = async (url: string, ...statements: string[]) =>
  (await tellPostgres<Record<string, string>>(url, ...statements))[0];

function run(program: string, parameters: string[]): ChildProcess {
  return spawn(program, parameters, { ...asUser, cwd: "/", stdio: "ignore", detached: true });
}

const fill = (table: string) =>
  `CREATE TABLE ${table} AS SELECT n, repeat(md5(n::text), 60) AS words FROM generate_series(1, 100000) n`;

test("a copy takes its place when it is whole; one that is killed leaves no database", async () => {
  const { folder, program } = await folderWith("copy");
  const source = await startServer();
  await tell(source.url, fill("large"));
  const data = join(folder, "database");
  const parameters = ["--scope=latchkey", "--role=replica", `--datadir=${data}`, `--connstring=${source.url}`];
  const killed = run(program, parameters);
  const ended = once(killed, "exit");
  const parts = () => readdirSync(folder).filter((name) => name.startsWith("database"));
  await expect.poll(parts, SOON).toHaveLength(1);
  process.kill(-(killed.pid ?? 0), "SIGKILL");
  await ended;
  expect(existsSync(data)).toBe(false);
  expect(await once(run(program, parameters), "exit")).toEqual([0, null]);
  expect(parts()).toEqual(["database"]);
  expect(existsSync(join(data, "global", "pg_control"))).toBe(true);
});

test("a database that is half rewound does not start; one whose rewinding cannot begin is as it was", async () => {
  const { program } = await folderWith("rewind");
  const former = await startServer();
  const next = await startServer(former.url);
  await tell(next.url, "SELECT pg_promote()", "CHECKPOINT", fill("large"));
  const asked = await tell(former.url, "CREATE TABLE diverged ()", "SHOW data_directory");
  const data = String(asked?.data_directory);
  const isThere = () => existsSync(join(data, "global", "pg_control"));
  const rewind = (from: string) => run(program, ["-D", data, "--source-server", from]);

  const restarted = former.restart("fast", async () => {
    expect(await once(rewind("postgresql://latchkey@127.0.0.1:1/postgres"), "exit")).toEqual([1, null]);
    expect(isThere()).toBe(true);
    const half = rewind(next.url);
    const ended = once(half, "exit");
    const isWriting = () =>
      descendants(half.pid ?? 0).some((pid) => {
        const file = `/proc/${pid}/cmdline`;
        return existsSync(file) && /pg_rewind\0-D\0/.test(readFileSync(file, "utf8"));
      });
    await expect.poll(isWriting, SOON).toBe(true);
    await next.crash();
    expect(await ended).toEqual([1, null]);
    expect(isThere()).toBe(false);
  });
  await expect(restarted).rejects.toThrow("PostgreSQL did not start.");
});

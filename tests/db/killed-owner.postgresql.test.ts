import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";

const START = `const { startPostgres } = await import("./scripts/postgres.ts");
console.log((await startPostgres(["fsync=off"])).url);`;

test("a temporary server ends when the process that started it is killed, and leaves no folder", async () => {
  const owner = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", START], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void owner.kill("SIGKILL"));
  const [url] = await once(owner.stdout, "data");
  const client = new Client(String(url).trim());
  // The server ends this connection.
  client.on("error", () => {});
  const ended = new Promise((resolve) => client.once("end", resolve));
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
  const folder = dirname(String(rows[0]?.data_directory));
  expect(existsSync(folder)).toBe(true);
  owner.kill("SIGKILL");
  await ended;
  await expect.poll(() => existsSync(folder)).toBe(false);
});

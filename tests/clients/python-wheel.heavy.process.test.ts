import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabase } from "@/lib/db/client";
import { approveRequest } from "@/lib/link/decide";
import { findPython } from "@/scripts/python";
import { enter } from "@/tests/link/flow";
import { newNetwork } from "@/tests/support/network";
import { type RunningService, startService } from "@/tests/support/service";
import { makeUser } from "@/tests/support/user";
import { useStorageOf } from "./use-storage";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "latchkey-wheel-"));
const readme = readFileSync("clients/python/README.md", "utf8");
const blocks = (language: string) =>
  [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, of, text = ""]) => (of === language ? [text] : []));

let service: RunningService;
beforeAll(async () => {
  service = await startService({ lane: "direct", database: "sqlite" });
  useStorageOf(service);
});
afterAll(async () => {
  await closeDatabase();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What a new user does, without a network: pip finds nothing but what the machine has. */
async function install(): Promise<string> {
  const python = findPython();
  if (!python) throw new Error("No Python with venv, pip, setuptools and wheel was found on this machine.");
  const sources = join(folder, "python");
  cpSync("clients/python", sources, { recursive: true });
  await run(python, ["-m", "venv", join(folder, "venv")]);
  const empty = join(folder, "venv", "bin", "python3");
  const [commands = ""] = blocks("sh");
  const [build = "", installing = ""] = commands
    .trim()
    .split("\n")
    .map((line) => line.replace(/^python3 /, ""));
  const env = { ...process.env, HOME: folder, PIP_NO_INDEX: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1" };
  await run(python, [...build.split(" "), "--no-build-isolation"], { cwd: sources, env });
  await run(empty, installing.split(" "), { cwd: sources, env });
  expect(readdirSync(join(sources, "dist"))).toEqual(["latchkey-0.1.0-py3-none-any.whl"]);
  const { stdout } = await run(empty, ["-m", "pip", "show", "--files", "latchkey"], { env });
  for (const part of ["latchkey/py.typed", "latchkey/records.py", "LICENSE"]) expect(stdout).toContain(part);
  expect(stdout).toMatch(/^Requires: *$/m);
  rmSync(sources, { recursive: true });
  return empty;
}

test("the wheel, installed into an empty place, does what its README says", async () => {
  const python = await install();
  const alice = await makeUser({ username: "alice" });
  await makeUser({ username: "bob" });
  const program = blocks("python").join("\n").replaceAll("http://localhost:3000", service.url);
  const child = spawn(python, ["-"], { cwd: folder, env: { ...process.env, HOME: folder } });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk));
  child.stdin.end(program);
  await expect.poll(() => printed).toMatch(/compare the letters: [A-Z]{6}\n/);
  const [, code = ""] = /letters: ([A-Z]{6})\n/.exec(printed) ?? [];
  await approveRequest({ id: alice.id, network: newNetwork() }, await enter(alice, code));
  await once(child, "close");
  expect(printed.split("\n").slice(1)).toEqual([
    "Linked to alice",
    "the secret",
    "Full version 2",
    "False",
    "Nothing is stored yet.",
    "key_not_found 404 There is no key with this id.",
    "",
  ]);
  expect(printed).not.toContain(alice.token);
});

test("the README has under 100 lines", () => {
  expect(readme.split("\n").length).toBeLessThan(100);
});

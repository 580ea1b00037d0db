import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { openApiDocument } from "@/lib/api/openapi";
import manifest from "@/package.json";
import { findPython } from "@/scripts/install";
import { describedIn, pythonRecords, pythonRefusals } from "@/scripts/python-records";
import { approve } from "@/tests/contract/link";
import { origin } from "@/tests/support/http";
import { makeUsers, type TestUser } from "@/tests/support/user";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "latchkey-wheel-"));
afterAll(() => rmSync(folder, { recursive: true }));

const description = describedIn(openApiDocument(routes, "http://localhost:3000", "1"));
const PACKAGE = "clients/python/src/latchkey";
const README = readFileSync("clients/python/README.md", "utf8");

test.each([
  ["records.py", pythonRecords],
  ["refusals.py", pythonRefusals],
])("%s is what the description says: npm run codegen", (name, written) => {
  expect(readFileSync(`${PACKAGE}/${name}`, "utf8")).toBe(written(description));
});

test("the package has the licence", () => {
  expect(readFileSync("clients/python/LICENSE", "utf8")).toBe(readFileSync("LICENSE", "utf8"));
});

test("the README has under 100 lines", () => {
  expect(README.split("\n").length).toBeLessThan(100);
});

test("the package has every type that a strict checker wants", async () => {
  const options = ["--strict", "--no-incremental", "--python-version", "3.9", "src"];
  const { stdout } = await run("mypy", options, { cwd: "clients/python" });
  expect(stdout).toMatch(/^Success: no issues found in \d+ source files\n$/);
});

const blocks = (language: string) =>
  [...README.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, of, text = ""]) => (of === language ? [text] : []));

/** What a new user does, without a network: pip finds nothing but what the machine has. */
async function install(): Promise<string> {
  const python = findPython();
  if (!python) throw new Error("No Python with venv, pip, setuptools and wheel was found on this machine.");
  const sources = join(folder, "python");
  cpSync("clients/python", sources, { recursive: true });
  // With this machine's pip: one of its own would take seconds to install.
  await run(python, ["-m", "venv", "--without-pip", join(folder, "venv")]);
  const empty = join(folder, "venv", "bin", "python3");
  const env = { ...process.env, HOME: folder, PIP_NO_INDEX: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1" };
  const [build = [], installing = []] = (blocks("sh")[0] ?? "").split("\n").map((line) => line.split(" ").slice(3));
  await run(python, ["-m", "pip", ...build, "--no-build-isolation"], { cwd: sources, env });
  await run(python, ["-m", "pip", "--python", empty, ...installing], { cwd: sources, env });
  expect(readdirSync(join(sources, "dist"))).toEqual([`latchkey-${manifest.version}-py3-none-any.whl`]);
  const { stdout } = await run(python, ["-m", "pip", "--python", empty, "show", "--files", "latchkey"], { env });
  for (const part of ["latchkey/py.typed", "latchkey/records.py", "LICENSE"]) expect(stdout).toContain(part);
  expect(stdout).toMatch(/^Requires: *$/m);
  rmSync(sources, { recursive: true });
  return empty;
}

test("the wheel, installed into an empty place, does what its README says", async () => {
  const python = await install();
  const [alice, bob] = (await makeUsers(2)) as [TestUser, TestUser];
  const text = blocks("python").join("\n").replaceAll("http://localhost:3000", origin);
  const program = text.replaceAll('"bob"', `"${bob.username}"`);
  const child = spawn(python, ["-"], { cwd: folder, env: { ...process.env, HOME: folder } });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk));
  child.stdin.end(program);
  await expect.poll(() => printed).toMatch(/compare the letters: [A-Z]{6}\n/);
  const [, code = ""] = /letters: ([A-Z]{6})\n/.exec(printed) ?? [];
  await approve(code, alice);
  await once(child, "close");
  expect(printed.split("\n").slice(1)).toEqual([
    `Linked to ${alice.username}`,
    "the secret",
    "Full version 2",
    "False",
    "Nothing is stored yet.",
    "key_not_found 404 There is no key with this id.",
    "",
  ]);
  expect(printed).not.toContain(alice.token);
});

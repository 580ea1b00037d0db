import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { addressOf } from "@/tests/support/place";

const read = (file: string) => readFileSync(file, "utf8");
const json = (file: string) => JSON.parse(read(file));

const headings = [...read("CHANGELOG.md").matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);
const entries = headings.slice(1).map((heading) => {
  const [, version = "", date = ""] = /^\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$/.exec(heading) ?? [];
  return { heading, version, date };
});
const newest = entries[0]?.version;

test("CHANGELOG.md begins with what is unreleased, then has a dated entry for each version, newest first", () => {
  expect(headings[0]).toBe("[Unreleased]");
  expect(entries.filter(({ version, date }) => version === "" || Number.isNaN(Date.parse(date)))).toEqual([]);
  const versions = entries.map(({ version }) => version);
  const sorted = [...new Set(versions)].sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  expect(versions).toEqual(sorted);
});

test.each<[string, () => unknown]>([
  ["package.json", () => json("package.json").version],
  ["package-lock.json", () => json("package-lock.json").version],
  ["package-lock.json, its first package", () => json("package-lock.json").packages[""].version],
  ["clients/typescript/package.json", () => json("clients/typescript/package.json").version],
  ["clients/cli/package.json", () => json("clients/cli/package.json").version],
  ["clients/python/pyproject.toml", () => /^version = "(.+)"$/m.exec(read("clients/python/pyproject.toml"))?.[1]],
  ["the Python client", () => /^VERSION = "(.+)"$/m.exec(read("clients/python/src/latchkey/transport.py"))?.[1]],
  ["clients/typescript/README.md", () => /latchkey-client-(.+?)\.tgz/.exec(read("clients/typescript/README.md"))?.[1]],
  ["clients/cli/README.md", () => /latchkey-cli-(.+?)\.tgz/.exec(read("clients/cli/README.md"))?.[1]],
  ["clients/python/README.md", () => /latchkey-(.+?)-py3/.exec(read("clients/python/README.md"))?.[1]],
])("%s has the version of the newest entry in CHANGELOG.md", (_, version) => {
  expect(version()).toBe(newest);
});

interface Step {
  id?: string;
  name?: string;
  uses?: string;
  run?: string;
}
interface Workflow {
  permissions?: unknown;
  jobs: Record<string, { steps?: Step[]; uses?: string; "timeout-minutes"?: number }>;
}
const WORKFLOWS = ".github/workflows";
const workflows = readdirSync(WORKFLOWS).map((name) => `${WORKFLOWS}/${name}`);
const stepsOf = (file: string): Step[] =>
  Object.values((parse(read(file)) as Workflow).jobs).flatMap(({ steps = [] }) => steps);

describe.each(workflows)("%s", (file) => {
  const { permissions, jobs } = parse(read(file)) as Workflow;

  test("may read the repository, and each job has a time limit", () => {
    expect(permissions).toEqual({ contents: "read" });
    const endless = Object.entries(jobs).filter(([, job]) => job.uses === undefined && !job["timeout-minutes"]);
    expect(endless).toEqual([]);
  });

  test("pins each action by its digest, and says which version that is", () => {
    const uses = read(file).match(/\buses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    const pinned = /^uses: (?:\.\/\S+|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
    expect(uses.filter((line) => !pinned.test(line))).toEqual([]);
  });

  test("runs scripts that are there, and puts nothing into a command that someone else may choose", () => {
    const commands = stepsOf(file).flatMap(({ run = [] }) => run);
    const { scripts } = json("package.json");
    const called = commands.flatMap((run) => [...run.matchAll(/\bnpm run (\S+)/g)].map(([, name = ""]) => name));
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
    expect(commands.filter((run) => run.includes("${{"))).toEqual([]);
  });

  test("leaves no credentials in a checkout", () => {
    const checkouts = read(file).match(/uses: actions\/checkout@/g) ?? [];
    expect(read(file).match(/persist-credentials: false/g) ?? []).toHaveLength(checkouts.length);
  });
});

describe("a release", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-release-"));
  const git = (...sent: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...sent], { cwd: folder });
  const script = (find: (step: Step) => boolean | undefined) =>
    stepsOf(`${WORKFLOWS}/release.yml`).find(find)?.run ?? "";

  beforeAll(() => {
    for (const file of ["package.json", "CHANGELOG.md"]) cpSync(file, join(folder, file));
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "--message", "A version");
    for (const tag of [`v${newest}`, "v999.0.0-rc.1", "vendor"]) git("tag", tag);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What the first job of the release says of a tag. */
  function check(tag: string): { status: number | null; stdout: string; output: string } {
    const output = join(folder, "output");
    writeFileSync(output, "");
    const { status, stdout } = spawnSync("bash", ["-e", "-c", script(({ id }) => id === "check")], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, GITHUB_REF_NAME: tag, GITHUB_OUTPUT: output },
    });
    return { status, stdout, output: read(output) };
  }

  test("is made of a tag that has the version, and is the newest unless a later one is there", () => {
    expect(check(`v${newest}`)).toMatchObject({ status: 0, output: `version=${newest}\nnewest=true\n` });
    git("tag", "v999.0.0");
    expect(check(`v${newest}`)).toMatchObject({ status: 0, output: `version=${newest}\nnewest=false\n` });
  });

  test("is refused for another tag, or without an entry in CHANGELOG.md", () => {
    expect(check("v999.0.0")).toMatchObject({
      status: 1,
      stdout: `::error::The tag is v999.0.0, but package.json has ${newest}.\n`,
    });
    writeFileSync(join(folder, "CHANGELOG.md"), "# Changelog\n");
    const stdout = `::error::CHANGELOG.md has no entry for ${newest}.\n`;
    expect(check(`v${newest}`)).toMatchObject({ status: 1, stdout });
  });

  test("has the entry of its version as its notes", () => {
    const [lines = ""] =
      /^base=[\s\S]* > notes\.md$/m.exec(script(({ run }) => run?.includes("gh release create"))) ?? [];
    const absolute = "[not](https://example.org/a#b), [nor](#here)";
    writeFileSync(
      join(folder, "CHANGELOG.md"),
      "# Changelog\n\n## [1.2.4] - 2027-01-02\n\nNew.\n\n## [1.2.3] - 2027-01-01\n\n### Fixed\n\n" +
        `- [It](docs/a-b.md#c), [so](LICENSE), ${absolute}.\n\n## [1.2.30] - 2026-01-01\n\nOld.\n`,
    );
    const where = { VERSION: "1.2.3", GITHUB_SERVER_URL: "https://github.example", GITHUB_REPOSITORY: "a/b" };
    execFileSync("bash", ["-e", "-c", lines], { cwd: folder, env: { ...process.env, ...where } });
    const base = "https://github.example/a/b/blob/v1.2.3";
    expect(read(join(folder, "notes.md")).trim()).toBe(
      `### Fixed\n\n- [It](${base}/docs/a-b.md#c), [so](${base}/LICENSE), ${absolute}.`,
    );
  });

  test("stages the packages on npm that are not there yet", () => {
    const [packages, commands] = [join(folder, "dist"), join(folder, "bin")];
    for (const made of [packages, commands, join(folder, "package")]) mkdirSync(made);
    for (const name of ["a", "b"]) {
      writeFileSync(join(folder, "package/package.json"), JSON.stringify({ name: `@x/${name}`, version: "1.2.3" }));
      execFileSync("tar", ["-czf", join(packages, `${name}.tgz`), "package"], { cwd: folder });
    }
    const npm = '#!/bin/sh\n[ "$*" = "view @x/a@1.2.3 version" ] && echo 1.2.3\n';
    writeFileSync(join(commands, "npm"), npm, { mode: 0o755 });
    writeFileSync(join(commands, "npx"), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    const { status, stdout } = spawnSync("bash", ["-e", "-c", script(({ run }) => run?.includes("stage publish"))], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, PATH: `${commands}:${process.env.PATH}`, TAG: "latest" },
    });
    const staged =
      /^--yes npm@11\.\d+\.\d+ stage publish \.\/dist\/b\.tgz --provenance --access public --tag latest\n$/;
    expect([status, stdout]).toEqual([0, expect.stringMatching(staged)]);
  });
});

describe("npm run audit", () => {
  let respond: RequestListener;
  const address = addressOf(createServer((request, response) => respond(request, response)));

  /** `null`: nobody is there. */
  async function audit(how: RequestListener | null): Promise<{ status: number; said: string }> {
    respond = how ?? respond;
    const registry = (how ? address() : "http://127.0.0.1:1").replace("//", "//me:secret@");
    const env = { ...process.env, npm_config_fetch_retries: "0", npm_config_registry: `${registry}/` };
    return new Promise((resolve) =>
      execFile(process.execPath, ["scripts/audit.mjs"], { env }, (error, stdout, stderr) =>
        resolve({ status: Number(error?.code ?? 0), said: stdout + stderr }),
      ),
    );
  }
  /** To the question about advisories; it knows no package. */
  const sending =
    (status: number, body: object = {}): RequestListener =>
    ({ method }, response) =>
      response.writeHead(method === "POST" ? status : 404).end(JSON.stringify(body));

  test("passes if there is no serious vulnerability, and fails if there is one", async () => {
    const none = { status: 0, said: "0 packages with serious known vulnerabilities.\n" };
    expect(await audit(sending(200))).toEqual(none);
    const advisory = { id: 1, url: "", title: "It is wrong.", severity: "critical", vulnerable_versions: "*" };
    const one = { status: 1, said: expect.stringMatching(/^critical: zod .*\n1 packages with serious/) };
    expect(await audit(sending(200, { zod: [advisory] }))).toEqual(one);
  });

  test.each([404, 405])("passes if the registry has no audits (%i), and says so", async (status) => {
    const said = `Not audited: this registry has no audits (${status}).\n`;
    expect(await audit(sending(status))).toEqual({ status: 0, said });
  });

  test.each<[string, RequestListener | null, RegExp]>([
    ["refuses", null, /ECONNREFUSED/],
    ["is unwell", sending(503), /503/],
  ])("fails if the registry %s, in one sentence", async (_, how, reason) => {
    const { status, said } = await audit(how);
    expect([status, said]).toEqual([1, expect.stringMatching(reason)]);
    expect(said).toMatch(/^Not audited: the registry does not respond as it should \(.+\)\. Try again later\.\n$/);
    expect(said).not.toContain("secret");
  });
});

import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const read = (file: string) => readFileSync(file, "utf8");
const json = (file: string) => JSON.parse(read(file));

const headings = [...read("CHANGELOG.md").matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);
const entries = headings.slice(1).map((heading) => {
  const [, version = "", date = ""] = /^\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$/.exec(heading) ?? [];
  return { heading, version, date };
});
const newest = entries[0]?.version;

describe("CHANGELOG.md", () => {
  test("begins with what is unreleased, then has a dated entry for each version, newest first", () => {
    expect(headings[0]).toBe("[Unreleased]");
    expect(entries.filter(({ version, date }) => version === "" || Number.isNaN(Date.parse(date)))).toEqual([]);
    const versions = entries.map(({ version }) => version);
    const sorted = [...new Set(versions)].sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
    expect(versions).toEqual(sorted);
  });

  test("has the kinds of changes that Keep a Changelog has, each with a list", () => {
    const kinds = [...read("CHANGELOG.md").matchAll(/^### (.*)\n\n(- )?/gm)];
    for (const [, kind, list] of kinds)
      expect([kind, list]).toEqual([
        expect.stringMatching(/^(?:Added|Changed|Deprecated|Removed|Fixed|Security)$/),
        "- ",
      ]);
  });
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

describe("npm run audit", () => {
  const server = createServer();
  let respond: RequestListener;
  beforeAll(async () => {
    server.on("request", (request, response) => respond(request, response));
    await once(server.listen(0, "127.0.0.1"), "listening");
  });
  afterAll(() => void server.close().closeAllConnections());

  /** `null`: nothing is there. */
  async function audit(how: RequestListener | null): Promise<{ status: number; said: string }> {
    respond = how ?? respond;
    const port = how ? (server.address() as AddressInfo).port : 1;
    const registry = `http://me:secret@127.0.0.1:${port}/`;
    const waiting = { npm_config_fetch_retries: "0", npm_config_fetch_timeout: "2000" };
    const env = { ...process.env, ...waiting, npm_config_registry: registry };
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
    ["does not respond", () => {}, /network timeout at: …/],
    ["is unwell", sending(503), /503/],
    ["is a page of something else", (_, response) => response.end("<html>"), /not valid JSON/],
  ])("fails if the registry %s, in one sentence", async (_, how, reason) => {
    const { status, said } = await audit(how);
    expect([status, said]).toEqual([1, expect.stringMatching(reason)]);
    expect(said).toMatch(/^Not audited: the registry does not respond as it should \(.+\)\. Try again later\.\n$/);
    expect(said).not.toContain("secret");
  });
});

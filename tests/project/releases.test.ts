import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

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

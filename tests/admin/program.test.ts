import { readdirSync, readFileSync } from "node:fs";
import { CommanderError } from "@commander-js/extra-typings";
import { describe, expect, test } from "vitest";
import manifest from "@/package.json";
import { adminProgram } from "@/scripts/admin/program";
import { newUsername } from "@/tests/support/user";
import { run } from "./command";

describe("a mistake is explained with the correct usage", () => {
  test.each([
    [[], "error: missing command\nUsage: ./latchkey <command>\n"],
    [["nonsense"], "unknown command 'nonsense'"],
    [["strat"], "(Did you mean start?)"],
    [["start", "extra"], "Usage: ./latchkey start\n"],
    [["user:creat", "alice"], "(Did you mean user:create?)"],
    [["user:token", "alice", "--rotat"], "(Did you mean --rotate?)"],
    [["constructor", "alice"], "unknown command 'constructor'"],
    [["user:destroy-it-all", "alice"], "All commands: ./latchkey --help"],
    [["user:role", "alice", "root"], "Allowed choices are admin, user."],
    [["audit", "--format", "xml"], "Allowed choices are json, csv."],
    [["user:quota", "alice", "--keys", "-1"], "argument"],
    [["network:block", "203.0.113.7", "--for", "soon"], "argument"],
    [["audit", "--limit", "0"], "The limit must be a whole number from 1 to 10000."],
    [["user:token", "alice", "--limit", "5"], "Usage: ./latchkey user:token <name> [--rotate]"],
  ])("%j: %s", async (sent, sentence) => {
    const { said, thrown } = await run(...sent);
    expect(thrown).toBeInstanceOf(CommanderError);
    expect(said).toContain(sentence);
    expect(said).toMatch(/^error: (?:.+\n){2,3}$/);
  });

  test.each([["--help"], ["help"], ["user:create", "--help"], ["help", "user:create"]])(
    "%s %s tells on standard output how it is typed",
    async (...sent) => {
      const { printed, said, thrown } = await run(...sent);
      expect([said, thrown]).toEqual(["", expect.objectContaining({ exitCode: 0 })]);
      expect(printed).toContain("user:create <name...>");
    },
  );
});

test.each(["--version", "-V"])("%s prints the version alone", async (option) => {
  const { printed, said, thrown } = await run(option);
  expect([printed, said, thrown]).toEqual([`${manifest.version}\n`, "", expect.objectContaining({ exitCode: 0 })]);
});

describe("every form is understood", () => {
  const nobody = newUsername();
  test.each([
    [["user:token", "--rotate", nobody]],
    [["files:import", nobody, "a file", "--skip", "--yes"]],
    [["audit", "--user", nobody, "--limit", "5"]],
    [["user:show", nobody]],
    [["user:delete", nobody, "--yes"]],
    [["user:quota", nobody]],
    [["user:quota", nobody, "--keys", "5", "--entries", "default"]],
  ])("%j, of a user who is not there", async (sent) => {
    expect(await run(...sent)).toMatchObject({ said: "", thrown: { code: "user_not_found" } });
  });

  test.each([[["restore", "a file"]], [["restore", "a file", "--replace", "--unsigned"]]])(
    "%j, of a file that is not there",
    async (sent) => {
      expect(await run(...sent)).toMatchObject({ said: "", thrown: { message: "There is no file a file." } });
    },
  );
});

test("every command that a document names is one", () => {
  const names = adminProgram().commands.map((command) => command.name());
  const documents = readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []));
  const typed = ["README.md", ...documents, "compose.yaml", "Dockerfile", ".env.example"].flatMap((document) =>
    [...readFileSync(document, "utf8").matchAll(/\.\/latchkey ([a-z:]+)/g)].map(([, name = ""]) => ({
      document,
      name,
    })),
  );
  expect(typed.length).toBeGreaterThan(10);
  expect(typed.filter(({ name }) => !names.includes(name))).toEqual([]);
});

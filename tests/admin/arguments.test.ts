import { beforeAll, expect, test } from "vitest";
import { migrate } from "@/lib/db/migrate";
import { readArguments } from "@/scripts/admin/arguments";
import { commands } from "@/scripts/admin/commands";
import { UsageError } from "@/scripts/admin/usage";
import { newUsername } from "@/tests/support/user";

/** What is given where only a command is. */
const NOTHING = { name: "", value: "", rotate: false, lost: false, replace: false, unsigned: false, skip: false };

beforeAll(() => migrate().then(() => {}));

test.each([
  [["user:create", "alice"], { name: "alice" }],
  [["user:token", "alice", "--rotate"], { name: "alice", rotate: true }],
  [["user:token", "--rotate", "alice"], { name: "alice", rotate: true }],
  [["user:role", "alice", "admin"], { name: "alice", value: "admin" }],
  [["files:import", "alice", "-", "--skip"], { name: "alice", value: "-", skip: true }],
  [["files:import", "alice", "-"], { name: "alice", value: "-" }],
  [["audit"], {}],
  [["audit", "--user", "alice", "--limit", "5"], { user: "alice", limit: "5" }],
  [["secrets:rotate", "--lost"], { lost: true }],
  [["restore", "a file", "--replace"], { name: "a file", replace: true }],
  [["restore", "a file", "--unsigned"], { name: "a file", unsigned: true }],
  [["sweep"], {}],
])("%j is understood", (sent, given) => {
  expect(readArguments(sent)).toEqual({ command: commands[sent[0] ?? ""], given: { ...NOTHING, ...given } });
});

test.each([
  [[]],
  [["user:delete", "alice"]],
  [["constructor", "alice"]],
  [["user:create"]],
  [["user:create", "alice", "bob"]],
  [["user:create", "alice", "--rotate"]],
  [["user:token", "alice", "--force"]],
  [["user:role", "alice"]],
  [["files:import", "alice"]],
  [["files:export", "alice", "file"]],
  [["audit", "alice"]],
  [["audit", "--key"]],
  [["audit", "--rotate"]],
  [["user:token", "alice", "--limit", "5"]],
])("%j is not how it is typed", (sent) => {
  expect(() => readArguments(sent)).toThrow(UsageError);
});

test("a role that is none is refused before anything is looked up", async () => {
  await expect(commands["user:role"]?.run({ ...NOTHING, name: newUsername(), value: "root" })).rejects.toThrow(UsageError);
});

const known = Object.entries(commands).filter(([verb]) => !["user:create", "audit", "sweep", "secrets:rotate", "backup", "restore", "doctor"].includes(verb));
test.each(known)("%s of an unknown user", async (_, command) => {
  await expect(command.run({ ...NOTHING, name: newUsername(), value: "admin", rotate: true })).rejects.toMatchObject({
    code: "user_not_found",
  });
});

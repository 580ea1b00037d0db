import { beforeAll, expect, test } from "vitest";
import { migrate } from "@/lib/db/migrate";
import { readArguments } from "@/scripts/admin/arguments";
import { commands } from "@/scripts/admin/commands";
import { UsageError } from "@/scripts/admin/usage";
import { newUsername } from "@/tests/support/user";

beforeAll(() => migrate().then(() => {}));

test.each([
  [["user:create", "alice"], { name: "alice", value: "", rotate: false, lost: false, replace: false }],
  [["user:token", "alice", "--rotate"], { name: "alice", value: "", rotate: true, lost: false, replace: false }],
  [["user:token", "--rotate", "alice"], { name: "alice", value: "", rotate: true, lost: false, replace: false }],
  [["user:role", "alice", "admin"], { name: "alice", value: "admin", rotate: false, lost: false, replace: false }],
  [["files:import", "alice", "-"], { name: "alice", value: "-", rotate: false, lost: false, replace: false }],
  [["audit"], { name: "", value: "", rotate: false, lost: false, replace: false }],
  [["audit", "--user", "alice", "--limit", "5"], { name: "", value: "", rotate: false, lost: false, replace: false, user: "alice", limit: "5" }],
  [["secrets:rotate", "--lost"], { name: "", value: "", rotate: false, lost: true, replace: false }],
  [["restore", "a file", "--replace"], { name: "a file", value: "", rotate: false, lost: false, replace: true }],
  [["sweep"], { name: "", value: "", rotate: false, lost: false, replace: false }],
])("%j is understood", (sent, given) => {
  expect(readArguments(sent)).toEqual({ command: commands[sent[0] ?? ""], given });
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
  await expect(commands["user:role"]?.run({ name: newUsername(), value: "root", rotate: false, lost: false, replace: false })).rejects.toThrow(UsageError);
});

const known = Object.entries(commands).filter(([verb]) => !["user:create", "audit", "sweep", "secrets:rotate", "backup", "restore", "doctor"].includes(verb));
test.each(known)("%s of an unknown user", async (_, command) => {
  await expect(command.run({ name: newUsername(), value: "admin", rotate: true, lost: false, replace: false })).rejects.toMatchObject({
    code: "user_not_found",
  });
});

import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";
import { approved, ask } from "./flow";

const ROUNDS = 50;

async function rival(task: object): Promise<{ approved: string[]; tokens: (string | null)[] }> {
  const child = spawn(process.execPath, ["--import", "tsx", "tests/link/rival.ts"], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(JSON.stringify(task));
  const [answer, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (answer === "") throw new Error(complaint);
  return JSON.parse(answer);
}

it("two processes on one database: every code is approved once and collected from one network", async () => {
  const now = new Date();
  const [one, other] = [await makeUser(), await makeUser()];
  const home = newNetwork();
  const requests = await Promise.all(Array.from({ length: ROUNDS }, () => ask(home, now)));
  const open = await Promise.all(Array.from({ length: ROUNDS }, () => approved(newNetwork(), now)));
  const startAt = Date.now() + 3_000;
  const task = (userId: string) => ({
    userId,
    network: { ...newNetwork(), kind: "local" },
    startAt,
    requests: requests.map(({ id }) => id),
    codes: open.map(({ code }) => code),
  });
  const [first, second] = await Promise.all([rival(task(one.id)), rival(task(other.id))]);

  expect([...first.approved, ...second.approved].sort()).toEqual(requests.map(({ id }) => id).sort());
  for (const [user, { approved: won }] of [[one, first] as const, [other, second] as const])
    expect(await db.linkCode.count({ where: { id: { in: won }, userId: user.id, status: "approved" } })).toBe(won.length);
  for (const [index, { user }] of open.entries()) expect([first.tokens[index], second.tokens[index]].filter((token) => token !== null)).toEqual([user.token]);
}, 60_000);

import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { newNetwork } from "@/tests/support/network";
import { sized } from "@/tests/support/size";
import { makeUser } from "@/tests/support/user";
import { approved, ask } from "./flow";
import type { Won } from "./rival";

const ROUNDS = sized(10, 50);

async function rival(task: object): Promise<Won> {
  const child = spawn(process.execPath, ["--import", "tsx", "tests/link/rival.ts"], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(JSON.stringify(task));
  const [answer, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (answer === "") throw new Error(complaint);
  return JSON.parse(answer);
}

it("two processes on one database: every code is decided once, and collected from one network", async () => {
  const now = new Date();
  const [one, other] = [await makeUser(), await makeUser()];
  const home = newNetwork();
  const requests = await Promise.all(Array.from({ length: ROUNDS }, () => ask(home, now)));
  const disputed = await Promise.all(Array.from({ length: ROUNDS }, () => ask(home, now)));
  const open = await Promise.all(Array.from({ length: ROUNDS }, () => approved(newNetwork(), now)));
  const startAt = Date.now() + 3_000;
  const task = (userId: string, denies: boolean) => ({
    userId,
    network: { ...newNetwork(), kind: "local" },
    startAt,
    requests: requests.map(({ id }) => id),
    disputed: disputed.map(({ id }) => id),
    denies,
    codes: open.map(({ code }) => code),
  });
  const [first, second] = await Promise.all([rival(task(one.id, false)), rival(task(other.id, true))]);

  const decided = (ids: string[], userId: string, status: string) =>
    db.linkCode.count({ where: { id: { in: ids }, userId, status } });
  expect([...first.approved, ...second.approved].sort()).toEqual(requests.map(({ id }) => id).sort());
  expect(await decided(first.approved, one.id, "approved")).toBe(first.approved.length);
  expect(await decided(second.approved, other.id, "approved")).toBe(second.approved.length);

  expect([...first.disputed, ...second.disputed].sort()).toEqual(disputed.map(({ id }) => id).sort());
  expect(await decided(first.disputed, one.id, "approved")).toBe(first.disputed.length);
  expect(await decided(second.disputed, other.id, "denied")).toBe(second.disputed.length);

  for (const [index, { user }] of open.entries()) {
    const got = [first, second].map(({ tokens }) => new Set(tokens[index]));
    expect(got).toContainEqual(new Set([user.token]));
    expect(got).toContainEqual(new Set([null]));
  }
});

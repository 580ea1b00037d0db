import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { resealAll } from "@/lib/account/resealing/reseal";
import { db } from "@/lib/db/client";
import { examine } from "@/lib/doctor/examine";
import { revealData } from "@/lib/keys/reveal";
import { forgetDataKeys } from "@/lib/sealing/data-keys";
import { forgetUserKeys } from "@/lib/sealing/user-keys";
import { makeKeys } from "@/tests/keys/make-keys";
import { bundled } from "@/tests/support/bundle";
import { makeUsers } from "@/tests/support/user";

const ROUNDS = 20;
const USERS = 300;
const KEYS_EACH = 5;

/** How far it has come. */
async function place(): Promise<string> {
  const [newest] = await db.dataKey.findMany({ orderBy: { id: "desc" }, take: 1 });
  return `${newest?.id} ${newest?.passes} ${newest?.resealedTo} ${newest?.resealedAt}`;
}

test("a process that is killed while it seals or rotates loses nothing, and the next one continues", async () => {
  const users = await makeUsers(USERS);
  const keys = new Map<string, string[]>();
  for (const user of users) keys.set(user.id, await makeKeys(user, user, KEYS_EACH, `secret of ${user.username}`));
  const script = await bundled("tests/support/reseal-endlessly.ts");
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const child = spawn(process.execPath, [script], { env: process.env, stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const before = await place();
    // It has come further: the next step is under way.
    while ((await place()) === before) await sleep(5);
    await sleep(Math.random() * 100);
    child.kill("SIGKILL");
    await once(child, "exit");
    seen.add(await place());
    forgetDataKeys();
    forgetUserKeys();
    for (const user of users.slice(round % 10, 30 + (round % 10)))
      for (const id of keys.get(user.id) ?? [])
        expect(await revealData({ ...user, role: "user" }, id)).toBe(`secret of ${user.username}`);
  }
  // It was killed in many places, and came further each time.
  expect(seen.size).toBeGreaterThan(ROUNDS / 2);
  const createdAt = new Date(0);
  await db.dataKey.updateMany({ data: { createdAt } });
  await db.userKey.updateMany({ data: { createdAt } });
  while ((await resealAll(1_000)).left !== "nothing") {
    await db.userKey.updateMany({ data: { createdAt } });
  }
  forgetDataKeys();
  forgetUserKeys();
  for (const user of users)
    for (const id of keys.get(user.id) ?? [])
      expect(await revealData({ ...user, role: "user" }, id)).toBe(`secret of ${user.username}`);
  expect(await db.dataKey.count()).toBe(1);
  expect(await db.key.count({ where: { sealedWith: null } })).toBe(0);
  for await (const { check, problem } of examine()) expect([check, problem]).not.toContain("sealing");
});

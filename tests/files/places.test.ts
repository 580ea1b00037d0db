import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { SLOTS } from "@/lib/files/import/slots";
import { chunks, smallDocument } from "@/tests/support/documents";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";

const { graceMs } = SLOTS;
afterEach(() => Object.assign(SLOTS, { graceMs }));

const document = (user: TestUser) => JSON.stringify(smallDocument(user.username));

/** A client that sends a byte now and then, until it is told to end. */
function dripping() {
  const ended = new AbortController();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  async function* source() {
    begin();
    while (!ended.signal.aborted) {
      yield Buffer.from(" ");
      await sleep(20, undefined, { signal: ended.signal }).catch(() => {});
    }
    throw new Error("the client went away");
  }
  return { source, begun, end: () => ended.abort() };
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error) => error?.code ?? String(error),
  );

// One after another: the places are the process's.
describe("places to import", { sequential: true }, () => {
  test("go to those who wait if their holders send too slowly", async () => {
    SLOTS.graceMs = 300;
    const clients = (await makeUsers(8)).map((user, n) => ({ user, network: `198.51.100.${n}`, ...dripping() }));
    const slow = clients.map(({ user, network, source }) => outcome(importDocument(user, source(), { network })));
    await Promise.all(clients.map(({ begun }) => begun));
    await sleep(2 * SLOTS.graceMs);
    const honest = await makeUsers(3);
    for (const [n, user] of honest.entries())
      await importDocument(user, chunks(document(user)), { network: `203.0.113.${n}` });
    for (const { end } of clients) end();
    const told = await Promise.all(slow);
    expect(told.filter((code) => code === "too_slow").length).toBeGreaterThanOrEqual(1);
    expect(told.filter((code) => code === "too_slow").length).toBeLessThanOrEqual(3);
  });

  test("are left to slow ones while nobody waits, and to those that have only begun", async () => {
    const clients = (await makeUsers(8)).map((user, n) => ({ user, network: `198.51.100.${n}`, ...dripping() }));
    const slow = clients.map(({ user, network, source }) => outcome(importDocument(user, source(), { network })));
    await Promise.all(clients.map(({ begun }) => begun));
    const late = await makeUser();
    await expect(importDocument(late, chunks(document(late)), { network: "203.0.113.1" })).rejects.toMatchObject({
      status: 503,
      code: "too_many_imports",
    });
    for (const { end } of clients) end();
    expect(await Promise.all(slow)).not.toContain("too_slow");
  });

  test("are not all for one network, nor two for one user", async () => {
    const clients = (await makeUsers(8)).map((user) => ({ user, ...dripping() }));
    const running = new Set(clients);
    const crowd = clients.map(async (client) => {
      const code = await outcome(importDocument(client.user, client.source(), { network: "198.51.100.1" }));
      running.delete(client);
      return code;
    });
    await expect.poll(() => running.size).toBe(4);
    const elsewhere = await makeUser();
    await importDocument(elsewhere, chunks(document(elsewhere)), { network: "203.0.113.1" });
    for (const { user } of running)
      expect(await outcome(importDocument(user, chunks("[]"), { network: "203.0.113.1" }))).toBe("import_running");
    for (const { end } of clients) end();
    const told = await Promise.all(crowd);
    expect(told.filter((code) => code === "too_many_imports")).toHaveLength(4);
    const again = await makeUser();
    await importDocument(again, chunks(document(again)), { network: "198.51.100.1" });
  });
});

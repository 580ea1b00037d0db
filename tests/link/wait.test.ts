import { describe, expect, it } from "vitest";
import { approveRequest, denyRequest } from "@/lib/link/approve";
import { drawCode } from "@/lib/link/code";
import { collectToken } from "@/lib/link/collect";
import { readStatus } from "@/lib/link/status";
import { addWaiter, endWaits, MAX_WAITING_OF_NETWORK, type Wait } from "@/lib/link/wait";
import { db } from "@/lib/platform/db/client";
import type { Network } from "@/lib/platform/network/network";
import { perProcess } from "@/lib/platform/process";
import { newNetwork } from "@/tests/support/request";
import { statementsOf } from "@/tests/support/statements";
import { allow, PROGRAM, requested } from "./flow";

/** A page without an address: it needs a permission after the approval. */
const PAGE = "null";
const SHORT = 0.2;

function newWait(seconds = 25): Wait & { disconnect: () => void } {
  const client = new AbortController();
  return { seconds, signal: client.signal, isHonoured: false, disconnect: () => client.abort() };
}

interface Waiting {
  network: Network;
  wait?: Wait;
  secret?: string | null;
  webPage?: string | null;
}

const awaitStatus = (code: string, { network, wait = newWait(), secret = null, webPage = null }: Waiting) =>
  readStatus({ network, program: PROGRAM, webPage }, code, { secret, wait });
const awaitToken = (code: string, { network, wait = newWait(), secret = null, webPage = null }: Waiting) =>
  collectToken({ network, program: PROGRAM, webPage }, code, { secret, wait });

const newCode = (webPage: string | null = null) => requested(newNetwork(), new Date(), { webPage });

const waiters = perProcess("waiters", () => ({ room: { all: new Set() }, isOver: false }));

async function untilWaiting(count: number): Promise<void> {
  await expect.poll(() => waiters.room.all.size).toBe(count);
}

async function expectWaiting(answer: Promise<unknown>): Promise<void> {
  const early = new Promise((resolve) => setTimeout(resolve, 50, "none"));
  expect(await Promise.race([answer, early])).toBe("none");
}

describe("the answer comes when", () => {
  it("the code is approved, and not when another is; the token too, from any network with the secret", async () => {
    const [one, other, bySecret] = [await newCode(), await newCode(), await newCode()];
    const waits = [newWait(), newWait()] as const;
    const answers = [
      awaitStatus(one.code, { network: one.network, wait: waits[0] }),
      awaitToken(bySecret.code, { network: newNetwork(), wait: waits[1], secret: bySecret.secret }),
    ];
    const still = awaitStatus(other.code, { network: other.network });
    await untilWaiting(3);
    for (const { actor, id } of [one, bySecret]) await approveRequest(actor, id);
    expect(await Promise.all(answers)).toEqual(["approved", { token: bySecret.user.token }]);
    expect(waits.map(({ isHonoured }) => isHonoured)).toEqual([true, true]);
    await expectWaiting(still);
    await denyRequest(other.actor, other.id);
    expect(await still).toBe("denied");
  });

  it("there will be no token, because the code was denied or collected", async () => {
    const [denied, taken] = [await newCode(), await newCode()];
    const wait = newWait();
    const answer = awaitToken(denied.code, { network: denied.network, wait });
    await untilWaiting(1);
    await denyRequest(denied.actor, denied.id);
    expect([await answer, wait.isHonoured]).toEqual([null, true]);
    await approveRequest(taken.actor, taken.id);
    expect(await awaitToken(taken.code, { network: taken.network })).toEqual({ token: taken.user.token });
    await db.linkCode.update({ where: { id: taken.id }, data: { collectedAt: new Date(0) } });
    expect(await awaitToken(taken.code, { network: taken.network })).toBeNull();
  });

  it("the person allows a web page that hides its address", async () => {
    const { code, secret, network, id, actor, user } = await newCode(PAGE);
    await approveRequest(actor, id);
    const answer = awaitToken(code, { network, secret, webPage: PAGE });
    await untilWaiting(1);
    await allow(user, id, { network, webPage: PAGE });
    expect(await answer).toEqual({ token: expect.stringMatching(/^lkt_/) });
  });

  it("the code expires, or was not collected in time", async () => {
    const [slow, late] = [await newCode(), await newCode(PAGE)];
    await approveRequest(late.actor, late.id);
    const soon = new Date(Date.now() + 500);
    await db.linkCode.update({ where: { id: slow.id }, data: { expiresAt: soon } });
    await db.linkCode.update({ where: { id: late.id }, data: { collectBy: soon } });
    const answers = [
      awaitStatus(slow.code, { network: slow.network }),
      awaitToken(slow.code, { network: slow.network }),
      awaitToken(late.code, { network: late.network, secret: late.secret, webPage: PAGE }),
    ];
    expect(await Promise.all(answers)).toEqual(["expired", null, null]);
  });

  it("another process changed the code, or the account that approved it", async () => {
    const [code, page] = [await newCode(), await newCode(PAGE)];
    await approveRequest(page.actor, page.id);
    // Longer than the test may take: the end of the wait, which reads the code again, does not answer.
    const [wait, secret] = [() => newWait(3_600), page.secret];
    const answer = awaitStatus(code.code, { network: code.network, wait: wait() });
    const disabled = awaitToken(page.code, { network: newNetwork(), secret, webPage: PAGE, wait: wait() });
    await untilWaiting(2);
    await db.linkCode.update({ where: { id: code.id }, data: { status: "denied" } });
    await db.user.update({ where: { id: page.user.id }, data: { disabledAt: new Date() } });
    expect(await Promise.all([answer, disabled])).toEqual(["denied", null]);
  });
});

describe("a stranger waits to the end", () => {
  it("with the same statements and the same answer, hit or miss", async () => {
    const { code } = await newCode();
    const requested = [];
    for (const letters of [code, drawCode()]) {
      const wait = newWait(SHORT);
      requested.push(
        await statementsOf(async () => {
          expect(await awaitStatus(letters, { network: newNetwork(), wait })).toBeNull();
        }),
      );
      expect(wait.isHonoured).toBe(true);
    }
    // What the process asks about all codes that are waited for is no part of an answer. On SQLite it may share a
    // transaction with the answer's own question.
    const [hit, miss] = requested.map((sent) => sent.filter((text) => !/approverId|^(?:BEGIN|COMMIT)$/.test(text)));
    expect(hit).toEqual(miss);
  });

  it("also one in the code's own network that waited when the secret was first used", async () => {
    const { code, network, id, actor, secret } = await newCode();
    const wait = newWait();
    const stranger = awaitStatus(code, { network, wait });
    await untilWaiting(1);
    const own = awaitToken(code, { network, secret });
    await untilWaiting(2);
    await approveRequest(actor, id);
    expect(await own).not.toBeNull();
    await expectWaiting(stranger);
    wait.disconnect();
    await stranger;
  });
});

it("a program that has disconnected collects nothing", async () => {
  const { code, network, id, actor, user } = await newCode();
  const wait = newWait();
  const answer = awaitToken(code, { network, wait });
  await untilWaiting(1);
  wait.disconnect();
  expect([await answer, wait.isHonoured]).toEqual([null, false]);
  await approveRequest(actor, id);
  expect(await awaitToken(code, { network })).toEqual({ token: user.token });
});

describe("places for requests that wait", () => {
  const subnet = (number: number): Network => ({ id: `2001:db8:77:${number.toString(16)}::/64`, kind: "remote" });
  /** Takes places until there is none, `most` at most. Returns how to leave each. */
  function fill(from: (n: number) => Network, most = Number.POSITIVE_INFINITY): (() => void)[] {
    const taken: (() => void)[] = [];
    for (let n = 0; n < most; n++) {
      const leave = addWaiter({ isChanged: false, snapshot: "", wake: () => {} }, from(n), undefined);
      if (!leave) break;
      taken.push(leave);
    }
    return taken;
  }
  const leaveAll = (taken: (() => void)[]) => taken.map((leave) => leave());

  it("are 4 times as many for a /56, 16 times for a /48, and 64 times for a process", () => {
    const home = fill((n) => subnet(n % 256));
    expect(home).toHaveLength(4 * MAX_WAITING_OF_NETWORK);
    const site = [...home, ...fill((n) => subnet(256 + 256 * (n % 200)))];
    expect(site).toHaveLength(16 * MAX_WAITING_OF_NETWORK);
    const all = [...site, ...fill(newNetwork)];
    expect(all).toHaveLength(64 * MAX_WAITING_OF_NETWORK);
    leaveAll(all);
  });

  it("are not counted for programs of this machine, or without an address", () => {
    for (const network of [
      { id: "loopback", kind: "local" },
      { id: "unknown", kind: "unknown" },
    ] as const) {
      const taken = fill(() => network, 2 * MAX_WAITING_OF_NETWORK);
      expect(taken).toHaveLength(2 * MAX_WAITING_OF_NETWORK);
      leaveAll(taken);
    }
  });
});

it("when the process stops, all are answered at once, and nobody waits any more", async () => {
  const { code, network, secret } = await newCode();
  const waits = [newWait(), newWait(), newWait()] as const;
  const answers = [
    awaitStatus(code, { network, wait: waits[0], secret }),
    awaitStatus(drawCode(), { network: newNetwork(), wait: waits[1] }),
  ];
  await untilWaiting(2);
  endWaits();
  expect(await Promise.all(answers)).toEqual(["pending", null]);
  expect(await awaitStatus(code, { network, wait: waits[2], secret })).toBe("pending");
  expect(waits.map(({ isHonoured }) => isHonoured)).toEqual([false, false, false]);
  waiters.isOver = false;
});

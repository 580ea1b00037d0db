import { describe, expect, test } from "vitest";
import { rotateToken } from "@/lib/accounts/identity/token";
import { approveRequest, denyRequest } from "@/lib/link/approve";
import { endRequest } from "@/lib/link/end";
import { REFUSED_CODES } from "@/lib/link/limits";
import { linkedPrograms } from "@/lib/link/list";
import { recentGuessers, recentLinks } from "@/lib/link/operator";
import type { CodeOptions } from "@/lib/link/program";
import { COLLECT_WITHIN_SECONDS, secondsAfter } from "@/lib/link/states";
import { openTicket, sealTicket } from "@/lib/link/ticket";
import { viewRequest } from "@/lib/link/view";
import { auditTrail, OPERATOR } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import type { Network } from "@/lib/platform/network/network";
import { describeProgram, shortenUserAgent } from "@/lib/platform/user-agent";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { allow, approved, at, collect, enter, neverIssued, newRequest, requested, status, unlessLimited } from "./flow";

describe("a request, as a person sees it", () => {
  test("says when and from where it was asked for, and how long it can be decided", async () => {
    const { id, network, user, actor } = await requested();
    const seen = {
      state: "pending",
      name: "curl",
      access: null,
      audience: { text: "curl", isAnothers: false },
      proposed: "account",
      token: null,
      program: "curl",
      secondsSinceRequested: 40,
      secondsLeft: 560,
      webPage: null,
      collected: null,
      onlookers: null,
      version: expect.stringContaining("pending"),
    };
    const from = (network: Network) => viewRequest({ id: user.id, network }, id, at(40));
    expect(await from(network)).toEqual({ ...seen, requested: { network: null, isYours: true } });
    expect(await from(newNetwork())).toEqual({ ...seen, requested: { network: network.id, isYours: false } });
    for (const kind of ["unknown", "shared"] as const)
      expect(await from({ id: network.id, kind })).toEqual({
        ...seen,
        requested: { network: null, isYours: undefined },
      });
    expect(await viewRequest(actor, id, at(600))).toMatchObject({ state: "closed", secondsLeft: 0 });
    expect(await viewRequest(actor, "gone", at(40))).toBeNull();
  });

  test("tells the approver alone who knows the code: programs on other networks, and other accounts", async () => {
    const [network, elsewhere, office, cafe] = [newNetwork(), newNetwork(), newNetwork(), newNetwork()];
    const [user, other, third] = [await makeUser(), await makeUser(), await makeUser()];
    const { code, id } = await newRequest(network);
    await collect(code, elsewhere, at(1));
    await enter(user, code, at(1), network);
    await enter(other, code, at(1), office);
    for (const seconds of [2, 3]) await enter(third, code, at(seconds), cafe);
    const viewers = [user, other].map((viewer) => ({ id: viewer.id, network }));
    for (const viewer of viewers)
      expect(await viewRequest(viewer, id, at(3))).toMatchObject({ state: "pending", onlookers: null });
    await approveRequest({ id: user.id, network }, id, { now: at(3) });
    const [approver, onlooker] = await Promise.all(viewers.map((viewer) => viewRequest(viewer, id, at(4))));
    expect(approver).toMatchObject({
      state: "approved",
      onlookers: {
        networks: 1,
        accountCount: 2,
        accounts: [
          { username: third.username, network: cafe.id },
          { username: other.username, network: office.id },
        ],
        pending: [{ network: elsewhere.id, program: "curl", isYours: false, isAllowed: false }],
      },
    });
    expect(onlooker).toMatchObject({ state: "pending", requested: { network: null }, onlookers: null });
    const trail = await db.auditEvent.findMany({
      where: { subjectId: id, action: "link.enter" },
      orderBy: { id: "asc" },
    });
    expect(trail.map(({ actorId }) => actorId)).toEqual([user.id, other.id, third.id]);
  });

  test("shows who approved it when and from where the program collected, and others nothing of that", async () => {
    const { code, id, user, network, actor } = await approved();
    const collector = newNetwork();
    await allow(user, id, { network: collector, now: at(59) });
    expect(await viewRequest(actor, id, at(60))).toMatchObject({
      state: "approved",
      secondsLeft: 240,
      collected: null,
    });
    expect(await collect(code, collector, at(60))).not.toBeNull();
    expect(await viewRequest(actor, id, at(70))).toMatchObject({
      state: "collected",
      collected: { network: collector.id, isYours: false, secondsSince: 10, repeats: 0 },
    });
    const other = await makeUser();
    expect(await viewRequest({ id: other.id, network }, id, at(70))).toMatchObject({
      state: "pending",
      requested: { network: null },
      collected: null,
      onlookers: null,
    });
    await rotateToken(user.id, { actorId: user.id, now: at(80) });
    expect(await viewRequest(actor, id, at(90))).toMatchObject({ state: "revoked", collected: null });
  });

  test("shows what came of it otherwise: denied, too late, rotated before it was collected", async () => {
    const [denied, late, rotated] = [await requested(), await approved(), await approved()];
    await denyRequest(denied.actor, denied.id, { now: at(1) });
    await rotateToken(rotated.user.id, { actorId: rotated.user.id, now: at(1) });
    expect(await viewRequest(denied.actor, denied.id, at(2))).toMatchObject({ state: "denied" });
    expect(await viewRequest(late.actor, late.id, at(300))).toMatchObject({ state: "uncollected", secondsLeft: 0 });
    expect(await viewRequest(rotated.actor, rotated.id, at(2))).toMatchObject({ state: "revoked" });
  });
});

test("the linked programs of a user are those that hold its token or may collect it, latest first", async () => {
  const network = newNetwork();
  const { code, id, user } = await approved(network);
  await collect(code, network, at(1));
  const second = await newRequest(network);
  await db.linkCode.update({ where: { id: second.id }, data: { program: "" } });
  await approveRequest({ id: user.id, network }, second.id, { now: at(2) });
  expect((await linkedPrograms(user.id, at(2))).map(({ collected }) => collected)).toEqual([false, true]);
  expect(await linkedPrograms(user.id, at(3 + COLLECT_WITHIN_SECONDS))).toHaveLength(1);
  await collect(second.code, network, at(3));
  expect(await linkedPrograms(user.id)).toEqual([
    { id: second.id, program: "", network: network.id, linkedAt: at(3).toISOString(), collected: true },
    { id, program: "curl", network: network.id, linkedAt: at(1).toISOString(), collected: true },
  ]);
  await rotateToken(user.id, { actorId: user.id, now: at(4) });
  expect(await linkedPrograms(user.id)).toEqual([]);
});

describe("what a program calls itself", () => {
  test.each([
    ["curl/8.5.0", "curl"],
    ["my-app/1.0 (Linux; x64)", "my-app on Linux"],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 " +
        "Safari/537.36 Edg/130.0",
      "Edge on Windows",
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 " +
        "Mobile/15E148 Safari/604.1",
      "Safari on iOS",
    ],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 14) AppleWebKit/537.36 Electron/30.0 Safari/537.36", "Electron on macOS"],
    ["", ""],
    ["<script>alert(1)</script>", ""],
    [`${"a".repeat(100)}/1`, "a".repeat(40)],
  ])("%.60s is told as %j", (header, told) => expect(describeProgram(shortenUserAgent(header))).toBe(told));

  test("is stored in 200 printable characters", () => {
    expect(shortenUserAgent(`<script>\u00e9${"x".repeat(5_000)}`)).toBe(`<script>?${"x".repeat(191)}`);
  });
});

const ticket = { id: "3", since: 4, code: "KMTRWB", isTransliterated: false, request: { linkId: "1", sessionId: "2" } };

test("the ticket that a browser keeps opens for us, and shows nothing to others", () => {
  const sealed = sealTicket(ticket);
  expect(openTicket(sealed)).toEqual(ticket);
  expect(Buffer.from(sealed, "base64").toString("latin1")).not.toContain("KMTRWB");
  expect(sealTicket(ticket)).not.toBe(sealed);
});

test("the ticket that a browser keeps is nothing when it was changed, cut or made up", () => {
  const bytes = Buffer.from(sealTicket(ticket), "base64");
  for (let index = 0; index < bytes.length; index += 7) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(openTicket(changed.toString("base64"))).toBeNull();
  }
  const short = bytes.subarray(0, 27).toString("base64");
  for (const sealed of [undefined, "", "x", short, Buffer.alloc(100).toString("base64")])
    expect(openTicket(sealed)).toBeNull();
});

const askedNow = (wish: CodeOptions = {}) => requested(newNetwork(), new Date(), wish);
const shown = async (id: string) => (await recentLinks()).links.find((link) => link.id === id);
const over = { status: 409, code: "code_unusable" };

test("a code that an operator ends can no longer be approved, and its program learns that it is denied", async () => {
  const { code, id, secret, network, actor } = await askedNow();
  const admin = await makeUser({ role: "admin" });
  expect(await shown(id)).toMatchObject({ status: "pending", isLive: true, program: "curl", network: network.id });
  await endRequest(admin.id, id);
  expect(await shown(id)).toMatchObject({ status: "denied", isLive: false });
  await expect(approveRequest(actor, id)).rejects.toMatchObject(over);
  expect(await status(code, network, new Date(), { secret })).toBe("denied");
  expect(await collect(code, network, new Date(), { secret })).toBeNull();
  expect(await auditTrail({ subjectId: id }, 1)).toMatchObject([
    { action: "link.end", actor: admin.username, detail: { network: network.id, program: "curl" } },
  ]);
  await expect(endRequest(admin.id, id)).rejects.toMatchObject(over);
});

test.each(["account", "identity"] as const)("an approved one (%s) gives its program no token", async (choice) => {
  const { code, id, secret, network, actor } = await askedNow(choice === "account" ? {} : { access: "identity" });
  await approveRequest(actor, id);
  expect(await shown(id)).toMatchObject({ status: "approved", isLive: true });
  await endRequest(OPERATOR, id);
  expect(await collect(code, network, new Date(), { secret })).toBeNull();
  expect(await status(code, network, new Date(), { secret })).toBe("denied");
  expect(await db.accessToken.count({ where: { id } })).toBe(0);
  expect(await db.linkCode.findUnique({ where: { id } })).toMatchObject({
    userId: null,
    tokenHash: null,
    sealed: null,
  });
});

test("codes that are over, or unknown, cannot be ended", async () => {
  const expired = await newRequest(newNetwork(), secondsAfter(new Date(), -601));
  await expect(endRequest(OPERATOR, expired.id)).rejects.toMatchObject(over);
  for (const id of [newId(), "'; DROP TABLE"])
    await expect(endRequest(OPERATOR, id)).rejects.toMatchObject({ status: 404, code: "code_not_found" });
});

test("an operator sees who else knows of a code, and no letter of it", async () => {
  const { code, id, secret, user } = await askedNow();
  await collect(code, newNetwork());
  for (const actor of [user, await makeUser()]) await enter(actor, code);
  expect(await shown(id)).toMatchObject({ onlookers: 1, entries: 2 });
  const told = JSON.stringify([await recentLinks(), await recentGuessers()]);
  expect(told).not.toContain(code);
  expect(told).not.toContain(secret);
});

test("an operator sees which networks guess, which limits they reached, and since when there is an alarm", async () => {
  const [guesser, honest] = [newNetwork(), newNetwork()];
  await collect(neverIssued(), honest);
  const began = Date.now();
  const codes = env.LINK_FOREIGN_CODES_PER_10_MINUTES + REFUSED_CODES + 2;
  for (let guess = 0; guess < codes; guess++) await unlessLimited(collect(neverIssued(), guesser));
  const guessers = await recentGuessers();
  expect(guessers.find((one) => one.network === guesser.id)).toMatchObject({
    codes: env.LINK_FOREIGN_CODES_PER_10_MINUTES,
    limits: ["other codes"],
    program: "curl",
    alarmSince: expect.any(Date),
  });
  const since = guessers.find((one) => one.network === guesser.id)?.alarmSince?.getTime() ?? 0;
  // It may be rounded to the second.
  expect(since).toBeGreaterThan(began - 1_000);
  expect(since).toBeLessThan(Date.now() + 1_000);
  expect(guessers.map((one) => one.network)).not.toContain(honest.id);
  expect(guessers.length).toBeLessThanOrEqual(20);
});

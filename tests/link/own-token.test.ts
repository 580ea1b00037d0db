import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { partyNamed } from "@/lib/accounts/identity/access-tokens/audiences";
import { tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import { findTokenCaller } from "@/lib/accounts/identity/access-tokens/use";
import { createValidator } from "@/lib/accounts/identity/validators";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { approveRequest } from "@/lib/link/approve";
import { storedCodeHash } from "@/lib/link/code";
import { issueToken } from "@/lib/link/collect";
import { linkedPrograms } from "@/lib/link/list";
import type { CodeOptions, TokenChoice } from "@/lib/link/program";
import { type Approver, type PolledLink, watchedLinks } from "@/lib/link/queries";
import { sweepSealed } from "@/lib/link/sweep";
import { viewRequest } from "@/lib/link/view";
import { findPolledLink, stateOf } from "@/lib/link/wait";
import type { Access } from "@/lib/platform/access";
import { db, sql } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { removeToken } from "@/lib/user-data/revoke-token";
import { newNetwork } from "@/tests/support/request";
import { at, collect, newRequest, PROGRAM, requested, status } from "./flow";

/** A code that was asked for with this wish, and what its person and its program do. */
async function askedWith(wish: CodeOptions & { webPage?: string }) {
  const link = await requested(newNetwork(), at(0), wish);
  const { code, id, network, actor } = link;
  return {
    ...link,
    approve: (choice?: TokenChoice, seconds = 1) => approveRequest(actor, id, { choice, now: at(seconds) }),
    view: (seconds: number) => viewRequest(actor, id, at(seconds)),
    collected: async (seconds: number) => (await collect(code, network, at(seconds)))?.token,
  };
}

async function approvedWith(wish: CodeOptions, choice?: TokenChoice) {
  const link = await askedWith(wish);
  await link.approve(choice);
  return link;
}

const READ = { access: "read", days: null } as const;

describe("a token of the program's own", () => {
  test("goes to a program that asked for an access, named, worthless until collected, again on a repeat", async () => {
    const { user, collected, network } = await approvedWith({ name: "My Tool", access: "read" });
    expect(await tokensOf(user.id, at(2))).toMatchObject([
      {
        name: "My Tool",
        access: "read",
        endsAt: null,
        state: "waiting",
        createdFor: { program: PROGRAM, network: network.id },
      },
    ]);
    const token = String(await collected(2));
    expect(token).toMatch(/^lkt_/);
    expect(await collected(3)).toBe(token);
    expect(await findTokenCaller(token, at(4))).toMatchObject({
      id: user.id,
      accessToken: { name: "My Tool", access: "read", expiresAt: null },
    });
    expect(await linkedPrograms(user.id, at(4))).toEqual([]);
    expect(await collected(13)).toBeUndefined();
  });

  test("can be chosen for a program that asked for nothing, with an end", async () => {
    const { user, collected, view } = await approvedWith({}, { access: "identity", days: 1 });
    const token = String(await collected(2));
    expect(await findTokenCaller(token, at(3))).toMatchObject({ accessToken: { name: "curl", access: "identity" } });
    expect(await view(3)).toMatchObject({ state: "collected", token: { name: "curl", access: "identity" } });
    await expect(findTokenCaller(token, at(1 + 24 * 60 * 60))).rejects.toMatchObject({ code: "invalid_token" });
    expect((await tokensOf(user.id, at(1 + 24 * 60 * 60)))[0]).toMatchObject({ state: "ended" });
  });

  test("gets the next free name", async () => {
    const { user, network, actor } = await approvedWith({ name: "Tool", access: "read" });
    const again = await newRequest(network, at(0), { name: "TOOL", access: "read" });
    await approveRequest(actor, again.id, { now: at(1) });
    expect((await tokensOf(user.id)).map(({ name }) => name).sort()).toEqual(["TOOL 2", "Tool"]);
  });

  test.each<[Access, TokenChoice]>([
    ["identity", READ],
    ["read", { access: "everything", days: null }],
    ["read", "account"],
    ["everything", "account"],
  ])("what asked for %s is not widened to %j", async (access, choice) => {
    const { user, approve, collected } = await askedWith({ access });
    await expect(approve(choice)).rejects.toMatchObject({ status: 400, code: "access_too_wide" });
    expect(await collected(2)).toBeUndefined();
    expect(await tokensOf(user.id)).toEqual([]);
    await approve({ access: "identity", days: 30 }, 3);
    expect(await collected(4)).toMatch(/^lkt_/);
  });

  test("may do the least if what its program asked for is not known", async () => {
    const { id, approve, collected } = await askedWith({ access: "read" });
    await db.linkCode.update({ where: { id }, data: { access: "more" } });
    await approve();
    const token = String(await collected(2));
    expect(await findTokenCaller(token, at(3))).toMatchObject({ accessToken: { access: "identity" } });
  });

  test("is not made if its user has too many, and the code stays", async () => {
    const { user, approve, collected } = await askedWith({ access: "read" });
    const row = { userId: user.id, access: "read", createdAt: at(0), startsAt: at(0) };
    const names = Array.from({ length: 1_000 }, (_, n) => `${user.id} ${n}`);
    const data = names.map((name) => ({ ...row, id: name, name, nameKey: name, hash: name }));
    await db.accessToken.createMany({ data });
    await expect(approve()).rejects.toMatchObject({ status: 403, code: "token_limit" });
    await removeToken(user.id, { id: `${user.id} 0` });
    await approve();
    expect(await collected(2)).toMatch(/^lkt_/);
  });

  test("cannot be collected once it was removed, or while the account is disabled", async () => {
    const removed = await approvedWith({ access: "read" });
    const [token] = await tokensOf(removed.user.id);
    await removeToken(removed.user.id, { id: String(token?.id) });
    expect(await removed.collected(2)).toBeUndefined();
    expect(await removed.view(3)).toMatchObject({ state: "revoked", token: null });

    const disabled = await approvedWith({ access: "read" });
    await setDisabled(disabled.user.username, { disabled: true });
    expect(await disabled.collected(2)).toBeUndefined();
    await setDisabled(disabled.user.username, { disabled: false });
    expect(await disabled.collected(3)).toMatch(/^lkt_/);
  });

  test("leaves its code uncollected if it is removed while that is being collected", async () => {
    const { user, code, id, network } = await approvedWith({ access: "read" });
    const codeHash = await storedCodeHash(code);
    const poller = { network, program: PROGRAM, webPage: null, proof: "none" as const };
    const polled = await findPolledLink(codeHash);
    const [token] = await tokensOf(user.id);
    await removeToken(user.id, { id: String(token?.id) });
    const [link, approver] = [polled.link as PolledLink, polled.user as Approver];
    expect(await issueToken({ codeHash, link, user: approver, poller, isFirst: false }, at(2))).toBeNull();
    expect(await status(code, network, at(3))).toBe("expired");
    expect(await db.auditEvent.count({ where: { subjectId: id, action: "link.collect" } })).toBe(0);
  });

  test("looks the same to requests that wait as to those that ask, in each of its states", async () => {
    const { user, code, id, collected } = await approvedWith({ access: "read" });
    const expectSame = async () => {
      const { link, user: approver } = await findPolledLink(await storedCodeHash(code));
      const [watched] = await sql.read(watchedLinks([id]));
      expect(stateOf(watched, watched?.approverId)).toBe(stateOf(link, approver?.id));
    };
    await expectSame();
    await collected(2);
    await expectSame();
    await sweepSealed(at(62));
    await expectSame();
    await removeToken(user.id, { name: "curl" });
    await expectSame();
  });

  test("is deleted if nobody collects it", async () => {
    const { user, collected, view } = await approvedWith({ access: "read" });
    await sweepSealed(at(300));
    expect(await tokensOf(user.id)).toHaveLength(1);
    expect(await collected(301)).toBeUndefined();
    await sweepSealed(at(301));
    expect(await tokensOf(user.id)).toEqual([]);
    expect(await view(302)).toMatchObject({ state: "revoked" });
  });
});

test.each<[CodeOptions, TokenChoice]>([
  [{}, "account"],
  [{ name: "My Tool" }, "account"],
  [{ name: "My Tool", access: "read" }, READ],
])("the page of a program that asks with %j proposes %j", async (wish, proposed) => {
  const { view } = await askedWith(wish);
  const { name = "curl", access = null } = wish;
  expect(await view(1)).toMatchObject({ name, access, proposed, token: null });
});

test("the page proposes a token of the program's own, with access to everything, if LINK_TOKEN says so", async () => {
  const proposed = env.LINK_TOKEN;
  env.LINK_TOKEN = "own";
  try {
    const [first, second] = [await askedWith({}), await askedWith({})];
    expect(await first.view(1)).toMatchObject({ access: null, proposed: { access: "everything", days: null } });
    await first.approve();
    const token = String(await first.collected(2));
    expect(await findTokenCaller(token, at(3))).toMatchObject({
      accessToken: { name: "curl", access: "everything" },
    });
    await second.approve("account");
    expect(await second.collected(2)).toBe(second.user.token);
  } finally {
    env.LINK_TOKEN = proposed;
  }
});

const GAME = "https://game.example";

test("the page names what a program may prove its user to, and warns of what another may have", async () => {
  const audienceOf = async (wish: Parameters<typeof askedWith>[0]) => (await (await askedWith(wish)).view(1))?.audience;
  expect(await audienceOf({ webPage: GAME })).toEqual({ text: "game.example", isAnothers: false });
  const OTHER = "chat.example";
  for (const wish of [{ webPage: GAME }, { name: "My Game", access: "identity" }] as const)
    expect(await audienceOf({ ...wish, audience: OTHER })).toEqual({ text: OTHER, isAnothers: true });
});

test.each([
  ["in its own window", GAME, GAME],
  ["by its letters, which any program can say are a page's", undefined, "game.example"],
  ["in the window of another page", "https://evil.example", "game.example"],
])("a web page that is approved %s is an origin in what it proves only if that is sure", async (_, opener, azp) => {
  const { code, network, id, actor } = await requested(newNetwork(), new Date(), { webPage: GAME });
  await approveRequest(actor, id, { opener });
  const caller = await findTokenCaller(String((await collect(code, network, new Date(), { webPage: GAME }))?.token));
  const { validator } = await createValidator(caller, { audience: GAME, issuer: "https://keys.example" });
  expect(decodeJwt(validator).azp).toBe(azp);
});

test.each([
  ["chat.example", true],
  ["https://chat.example", true],
  ["localhost:3000", true],
  ["game.exe, version 2.0", false],
  ["Game", false],
])("the page warns that a program called “%s” could sign in elsewhere: %s", async (name, isAnothers) => {
  const { id, actor } = await requested(newNetwork(), new Date(), { name, access: "identity" });
  expect((await viewRequest(actor, id))?.audience).toEqual({ text: name, isAnothers });
});

test.each([
  ["a://", "program"],
  ["  ", "program"],
  ["https:https:\\\\a.b", "a.b"],
  ["Game: the sequel", "Game: the sequel"],
])("a program that is called “%s” is never a site or nobody in what it proves: %s", (name, party) => {
  expect(partyNamed(name)).toBe(party);
});

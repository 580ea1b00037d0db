import { describe, expect, it, test } from "vitest";
import type { Access } from "@/lib/access";
import { findTokenCaller } from "@/lib/access-tokens/find";
import { tokensOf } from "@/lib/access-tokens/list";
import { removeToken } from "@/lib/access-tokens/remove";
import { sweepTokens } from "@/lib/access-tokens/sweep";
import { rotateToken } from "@/lib/auth/rotate-token";
import { setDisabled } from "@/lib/auth/standing";
import { db, sql } from "@/lib/db/client";
import { askForCode } from "@/lib/link/ask";
import { findAsked } from "@/lib/link/asked-link";
import { approveRequest } from "@/lib/link/decide";
import { handOut } from "@/lib/link/hand-out";
import { storedCodeHash } from "@/lib/link/hashes";
import { linkedPrograms } from "@/lib/link/programs";
import { type Approver, type AskedLink, watchedLinks } from "@/lib/link/rows";
import { askForStatus } from "@/lib/link/status";
import type { TokenChoice, Wish } from "@/lib/link/token-choice";
import { viewRequest } from "@/lib/link/view";
import { stateOf } from "@/lib/link/waiters";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";
import { at, collect, PROGRAM } from "./flow";

/** A code that was asked for with this wish, and approved with this choice a second later. */
async function approvedWith(wish: Wish, choice?: TokenChoice) {
  const [user, network] = [await makeUser(), newNetwork()];
  const { code, id } = await askForCode({ network, program: PROGRAM, webPage: null }, at(0), wish);
  await approveRequest({ id: user.id, network }, id, at(1), choice);
  const view = (seconds: number) => viewRequest({ id: user.id, network }, id, at(seconds));
  return { user, network, code, id, view, collected: (seconds: number) => collect(code, network, at(seconds)) };
}

const READ = { access: "read", days: null } as const;

describe("a token of the program's own", () => {
  it("goes to a program that asked for an access, named, worthless until collected, again on a repeat", async () => {
    const { user, collected, network } = await approvedWith({ name: "My Tool", access: "read" });
    expect(await tokensOf(user.id, at(2))).toMatchObject([
      {
        name: "My Tool",
        access: "read",
        endsAt: null,
        state: "waiting",
        madeFor: { program: PROGRAM, network: network.id },
      },
    ]);
    const answer = await collected(2);
    expect(answer?.token).toMatch(/^lkt_/);
    expect(await collected(3)).toEqual(answer);
    expect(await findTokenCaller(String(answer?.token), at(4))).toMatchObject({
      id: user.id,
      accessToken: { name: "My Tool", access: "read", expiresAt: null },
    });
    expect(await linkedPrograms(user.id, at(4))).toEqual([]);
    expect(await collected(13)).toBeNull();
  });

  it("can be chosen for a program that asked for nothing, with an end", async () => {
    const { user, collected, view } = await approvedWith({}, { access: "identity", days: 1 });
    const token = String((await collected(2))?.token);
    expect(await findTokenCaller(token, at(3))).toMatchObject({ accessToken: { name: "curl", access: "identity" } });
    expect(await view(3)).toMatchObject({ state: "collected", token: { name: "curl", access: "identity" } });
    await expect(findTokenCaller(token, at(1 + 24 * 60 * 60))).rejects.toMatchObject({ code: "invalid_token" });
    expect((await tokensOf(user.id, at(1 + 24 * 60 * 60)))[0]).toMatchObject({ state: "ended" });
  });

  it("gets the next free name", async () => {
    const { user, network } = await approvedWith({ name: "Tool", access: "read" });
    const again = await askForCode({ network, program: PROGRAM, webPage: null }, at(0), {
      name: "TOOL",
      access: "read",
    });
    await approveRequest({ id: user.id, network }, again.id, at(1));
    expect((await tokensOf(user.id)).map(({ name }) => name).sort()).toEqual(["TOOL 2", "Tool"]);
  });

  test.each<[Access, TokenChoice]>([
    ["identity", READ],
    ["read", { access: "everything", days: null }],
    ["read", "account"],
    ["everything", "account"],
  ])("what asked for %s is not widened to %j", async (access, choice) => {
    const [user, network] = [await makeUser(), newNetwork()];
    const { code, id } = await askForCode({ network, program: PROGRAM, webPage: null }, at(0), { access });
    await expect(approveRequest({ id: user.id, network }, id, at(1), choice)).rejects.toMatchObject({
      status: 400,
      code: "access_too_wide",
    });
    expect(await collect(code, network, at(2))).toBeNull();
    expect(await tokensOf(user.id)).toEqual([]);
    await approveRequest({ id: user.id, network }, id, at(3), { access: "identity", days: 30 });
    expect(await collect(code, network, at(4))).not.toBeNull();
  });

  it("may do the least if what its program asked for is not known", async () => {
    const [user, network] = [await makeUser(), newNetwork()];
    const { code, id } = await askForCode({ network, program: PROGRAM, webPage: null }, at(0), { access: "read" });
    await db.linkCode.update({ where: { id }, data: { access: "more" } });
    await approveRequest({ id: user.id, network }, id, at(1));
    const token = String((await collect(code, network, at(2)))?.token);
    expect(await findTokenCaller(token, at(3))).toMatchObject({ accessToken: { access: "identity" } });
  });

  it("is not made if its user has too many, and the code stays", async () => {
    const [user, network] = [await makeUser(), newNetwork()];
    const row = { userId: user.id, access: "read", createdAt: at(0), startsAt: at(0) };
    const names = Array.from({ length: 1_000 }, (_, n) => `${user.id} ${n}`);
    await db.accessToken.createMany({
      data: names.map((name) => ({ ...row, id: name, name, nameKey: name, hash: name })),
    });
    const { code, id } = await askForCode({ network, program: PROGRAM, webPage: null }, at(0), { access: "read" });
    const approve = () => approveRequest({ id: user.id, network }, id, at(1));
    await expect(approve()).rejects.toMatchObject({ status: 403, code: "token_limit" });
    await removeToken(user.id, { id: `${user.id} 0` });
    await approve();
    expect((await collect(code, network, at(2)))?.token).toMatch(/^lkt_/);
  });

  it("goes on when the account's token is rotated, before it was collected and after", async () => {
    const { user, collected } = await approvedWith({ access: "everything" });
    await rotateToken(user.id);
    const token = String((await collected(2))?.token);
    await rotateToken(user.id);
    expect(await findTokenCaller(token, at(3))).toMatchObject({ id: user.id });
  });

  it("cannot be collected once it was removed, or while the account is disabled", async () => {
    const removed = await approvedWith({ access: "read" });
    const [token] = await tokensOf(removed.user.id);
    await removeToken(removed.user.id, { id: String(token?.id) });
    expect(await removed.collected(2)).toBeNull();
    expect(await removed.view(3)).toMatchObject({ state: "revoked", token: null });

    const disabled = await approvedWith({ access: "read" });
    await setDisabled(disabled.user.username, true);
    expect(await disabled.collected(2)).toBeNull();
    await setDisabled(disabled.user.username, false);
    expect((await disabled.collected(3))?.token).toMatch(/^lkt_/);
  });

  it("leaves its code uncollected if it is removed while that is being collected", async () => {
    const { user, code, id, network } = await approvedWith({ access: "read" });
    const codeHash = await storedCodeHash(code);
    const asker = { network, program: PROGRAM, webPage: null };
    const found = await findAsked(codeHash);
    const [token] = await tokensOf(user.id);
    await removeToken(user.id, { id: String(token?.id) });
    const [link, approver] = [found.link as AskedLink, found.user as Approver];
    expect(await handOut(codeHash, link, approver, { asker, proof: "none" }, at(2))).toBeNull();
    expect(await askForStatus(code, asker, null, at(3))).toBe("expired");
    expect(await db.auditEvent.count({ where: { subjectId: id, action: "link.collect" } })).toBe(0);
  });

  it("looks the same to requests that wait as to those that ask, in each of its states", async () => {
    const { user, code, id, collected } = await approvedWith({ access: "read" });
    const expectSame = async () => {
      const { link, user: approver } = await findAsked(await storedCodeHash(code));
      const [watched] = await sql.read(watchedLinks([id]));
      expect(stateOf(watched, watched?.approverId)).toBe(stateOf(link, approver?.id));
    };
    await expectSame();
    await collected(2);
    await expectSame();
    await sweepTokens(at(62));
    await expectSame();
    await removeToken(user.id, { name: "curl" });
    await expectSame();
  });

  it("is deleted if nobody collects it", async () => {
    const { user, collected, view } = await approvedWith({ access: "read" });
    await sweepTokens(at(300));
    expect(await tokensOf(user.id)).toHaveLength(1);
    expect(await collected(301)).toBeNull();
    await sweepTokens(at(301));
    expect(await tokensOf(user.id)).toEqual([]);
    expect(await view(302)).toMatchObject({ state: "revoked" });
  });

  it("is not in the database once it was collected a minute ago: only its hash is", async () => {
    const { user, collected } = await approvedWith({ access: "read" });
    const sealed = async () => (await db.linkCode.findFirstOrThrow({ where: { userId: user.id } })).sealed;
    expect(await sealed()).not.toBeNull();
    await collected(2);
    await sweepTokens(at(61));
    expect(await sealed()).not.toBeNull();
    await sweepTokens(at(62));
    expect(await sealed()).toBeNull();
    expect(await collected(63)).toBeNull();
  });
});

describe("the page", () => {
  it("proposes what the program asked for: the account's token if that was nothing", async () => {
    const [user, network] = [await makeUser(), newNetwork()];
    for (const [wish, proposed] of [
      [{}, "account"],
      [{ name: "My Tool" }, "account"],
      [{ name: "My Tool", access: "read" }, READ],
    ] satisfies [Wish, TokenChoice][]) {
      const { id } = await askForCode({ network, program: PROGRAM, webPage: null }, at(0), wish);
      expect(await viewRequest({ id: user.id, network }, id, at(1))).toMatchObject({
        name: "name" in wish ? wish.name : "curl",
        access: "access" in wish ? wish.access : null,
        proposed,
        token: null,
      });
    }
  });

  it("names a web page of another site by its address, whatever name it asked with", async () => {
    const [user, network] = [await makeUser(), newNetwork()];
    const asker = { network, program: PROGRAM, webPage: "https://evil.example" };
    const { id } = await askForCode(asker, at(0), { name: "Your bank" });
    expect(await viewRequest({ id: user.id, network }, id, at(1))).toMatchObject({ name: "", webPage: asker.webPage });
  });
});

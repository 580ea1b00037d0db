import { describe, expect, it } from "vitest";
import { rotateToken } from "@/lib/auth/tokens";
import { db } from "@/lib/db/client";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { findRequest } from "@/lib/link/find";
import { collectToken } from "@/lib/link/poll";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";
import { approved, ask, at } from "./flow";

const statusOf = async (id: string) => (await db.linkCode.findUniqueOrThrow({ where: { id } })).status;
const actions = async (id: string) => (await db.auditEvent.findMany({ where: { subjectId: id }, orderBy: { id: "asc" } })).map(({ action }) => action);

describe("the usual way", () => {
  it("asks, waits, is approved and collects the user's one token", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const { code, id } = await ask(network);
    expect(await collectToken(code, network, at(5))).toBeNull();
    expect(await findRequest(user, code, at(10))).toBe(id);
    await approveRequest({ id: user.id, network }, id, at(20));
    expect(await collectToken(code.toLowerCase(), network, at(21))).toEqual({ token: user.token });
    expect(await actions(id)).toEqual(["link.ask", "link.approve", "link.collect"]);
  });

  it("hands nothing out for what is malformed, unknown, pending or denied", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const pending = await ask(network);
    const denied = await ask(network);
    await denyRequest({ id: user.id, network }, denied.id, at(1));
    for (const code of ["", "abcdß", "KMTRW", "OIOIOI", pending.code, denied.code]) expect(await collectToken(code, network, at(2))).toBeNull();
    expect(await actions(denied.id)).toEqual(["link.ask", "link.deny"]);
  });
});

describe("clocks", () => {
  it("takes an approval one second before the end, and none after it", async () => {
    const user = await makeUser();
    const network = newNetwork();
    const decider = { id: user.id, network };
    const [early, late] = [await ask(network), await ask(network)];
    await approveRequest(decider, early.id, at(599));
    await expect(approveRequest(decider, late.id, at(600))).rejects.toMatchObject({ status: 410, code: "code_expired" });
    await expect(denyRequest(decider, late.id, at(601))).rejects.toMatchObject({ code: "code_expired" });
    await expect(findRequest(user, late.code, at(601))).rejects.toMatchObject({ code: "code_expired" });
    expect(await statusOf(late.id)).toBe("pending");
    // Approved in time beats the first clock: it is collected after that has run out.
    expect(await collectToken(early.code, network, at(599 + 299))).toEqual({ token: user.token });
  });

  it("hands the token out for five minutes after the approval", async () => {
    const inTime = await approved();
    const tooLate = await approved();
    expect(await collectToken(inTime.code, inTime.network, at(299))).toEqual({ token: inTime.user.token });
    expect(await collectToken(tooLate.code, tooLate.network, at(300))).toBeNull();
    expect(await statusOf(tooLate.id)).toBe("approved");
  });

  it("answers the same network again for 60 seconds, and never another", async () => {
    const { code, network, user } = await approved();
    expect(await collectToken(code, network, at(10))).toEqual({ token: user.token });
    expect(await collectToken(code, network, at(69))).toEqual({ token: user.token });
    expect(await collectToken(code, newNetwork(), at(11))).toBeNull();
    expect(await collectToken(code, network, at(70))).toBeNull();
  });
});

describe("between approval and collecting", () => {
  it.each([
    ["disabled", (id: string) => db.user.update({ where: { id }, data: { disabledAt: at(1) } })],
    ["deleted", (id: string) => db.user.delete({ where: { id } })],
    ["given a new token", (id: string) => rotateToken(id, id, at(1))],
  ])("an account that was %s is not handed out", async (_, change) => {
    const { code, network, user, id } = await approved();
    await change(user.id);
    expect(await collectToken(code, network, at(2))).toBeNull();
    expect(await statusOf(id)).toBe("approved");
  });

  it("an answer that was given is not repeated for a token that was rotated since", async () => {
    const { code, network, user } = await approved();
    expect(await collectToken(code, network, at(1))).toEqual({ token: user.token });
    await rotateToken(user.id, user.id, at(2));
    expect(await collectToken(code, network, at(3))).toBeNull();
  });

  it("no token is lost when handing out fails: the code is not used up", async () => {
    const { code, network, user, id } = await approved();
    const { tokenSealed } = await db.user.findUniqueOrThrow({ where: { id: user.id } });
    await db.user.update({ where: { id: user.id }, data: { tokenSealed: Buffer.alloc(74).toString("base64") } });
    await expect(collectToken(code, network, at(1))).rejects.toThrow();
    expect(await statusOf(id)).toBe("approved");
    await db.user.update({ where: { id: user.id }, data: { tokenSealed } });
    expect(await collectToken(code, network, at(2))).toEqual({ token: user.token });
  });

  it("a disabled account cannot approve", async () => {
    const network = newNetwork();
    const user = await makeUser({ disabledAt: at(0) });
    const { id } = await ask(network);
    await expect(approveRequest({ id: user.id, network }, id, at(1))).rejects.toMatchObject({ status: 403, code: "account_disabled" });
    expect(await statusOf(id)).toBe("pending");
  });
});

describe("a second decision", () => {
  it("is told what happened, and changes nothing", async () => {
    const network = newNetwork();
    const [first, second] = [await makeUser(), await makeUser()];
    const mine = { id: first.id, network };
    const theirs = { id: second.id, network };
    const { code, id } = await ask(network);
    await approveRequest(mine, id, at(1));
    await approveRequest(mine, id, at(2));
    await expect(approveRequest(theirs, id, at(3))).rejects.toMatchObject({ status: 409, code: "code_used" });
    await expect(denyRequest(theirs, id, at(3))).rejects.toMatchObject({ code: "code_used" });
    await expect(denyRequest(mine, id, at(3))).rejects.toMatchObject({ code: "code_used" });
    await expect(findRequest(second, code, at(3))).rejects.toMatchObject({ code: "code_used" });
    expect(await findRequest(first, code, at(3))).toBe(id);
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ userId: first.id, collectBy: at(301) });
    expect(await collectToken(code, network, at(4))).toEqual({ token: first.token });
  });

  it("after a denial is refused, and denying again is not", async () => {
    const network = newNetwork();
    const [first, second] = [await makeUser(), await makeUser()];
    const { code, id } = await ask(network);
    await denyRequest({ id: first.id, network }, id, at(1));
    await denyRequest({ id: first.id, network }, id, at(2));
    await expect(approveRequest({ id: first.id, network }, id, at(3))).rejects.toMatchObject({ code: "code_denied" });
    await expect(approveRequest({ id: second.id, network }, id, at(3))).rejects.toMatchObject({ code: "code_denied" });
    for (const user of [first, second]) await expect(findRequest(user, code, at(3))).rejects.toMatchObject({ code: "code_denied" });
    expect(await collectToken(code, network, at(4))).toBeNull();
  });
});

describe("contested", () => {
  it("is a code that another network knew before it was approved: then only the asking network may collect", async () => {
    const [own, other] = [newNetwork(), newNetwork()];
    const user = await makeUser();
    const { code, id } = await ask(own);
    expect(await collectToken(code, other, at(1))).toBeNull();
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "pending", contestedAt: at(1) });
    await approveRequest({ id: user.id, network: own }, id, at(2));
    expect(await collectToken(code, other, at(3))).toBeNull();
    expect(await collectToken(code, newNetwork(), at(3))).toBeNull();
    expect(await collectToken(code, own, at(4))).toEqual({ token: user.token });
    expect(await actions(id)).toEqual(["link.ask", "link.contest", "link.approve", "link.collect"]);
  });

  it("is none that another network asks for only after the approval: a program may change its network", async () => {
    const { code, user, id } = await approved();
    const other = newNetwork();
    expect(await collectToken(code, other, at(1))).toEqual({ token: user.token });
    expect(await collectToken(code, other, at(2))).toEqual({ token: user.token });
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ contestedAt: null, collectedNetwork: other.id });
  });

  it("is none that its own network polls, nor one that has expired", async () => {
    const network = newNetwork();
    const { code, id } = await ask(network);
    await collectToken(code, network, at(1));
    await collectToken(code, newNetwork(), at(600));
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ contestedAt: null });
  });
});

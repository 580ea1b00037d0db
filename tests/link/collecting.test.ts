import { describe, expect, it } from "vitest";
import { rotateToken } from "@/lib/auth/rotate-token";
import { db } from "@/lib/db/client";
import { allowProgram, disallowProgram } from "@/lib/link/allow";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { viewRequest } from "@/lib/link/view";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";
import { approved, ask, at, collect, enter } from "./flow";

const statusOf = async (id: string) => (await db.linkCode.findUniqueOrThrow({ where: { id } })).status;
const actions = async (id: string) =>
  (await db.auditEvent.findMany({ where: { subjectId: id }, orderBy: { id: "asc" } })).map(({ action }) => action);

describe("the usual way", () => {
  it("asks, waits, is approved and collects the user's one token", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const { code, id } = await ask(network);
    expect(await collect(code, network, at(5))).toBeNull();
    expect(await enter(user, code, at(10))).toBe(id);
    await approveRequest({ id: user.id, network }, id, at(20));
    expect(await collect(code.toLowerCase(), network, at(21))).toEqual({ token: user.token });
    expect(await actions(id)).toEqual(["link.enter", "link.approve", "link.collect"]);
  });

  it("hands nothing out for what is malformed, unknown, pending or denied", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const pending = await ask(network);
    const denied = await ask(network);
    await denyRequest({ id: user.id, network }, denied.id, at(1));
    for (const code of ["", "abcdß", "KMTRW", "OIOIOI", pending.code, denied.code])
      expect(await collect(code, network, at(2))).toBeNull();
    expect(await actions(denied.id)).toEqual(["link.deny"]);
  });
});

describe("clocks", () => {
  it("takes an approval one second before the end, and none after it", async () => {
    const user = await makeUser();
    const network = newNetwork();
    const decider = { id: user.id, network };
    const [early, late] = [await ask(network), await ask(network)];
    await approveRequest(decider, early.id, at(599));
    await expect(approveRequest(decider, late.id, at(600))).rejects.toMatchObject({
      status: 409,
      code: "code_unusable",
    });
    await expect(denyRequest(decider, late.id, at(601))).rejects.toMatchObject({ code: "code_unusable" });
    await expect(enter(user, late.code, at(601))).rejects.toMatchObject({ code: "code_not_found" });
    expect(await statusOf(late.id)).toBe("pending");
    // Approved in time beats the first clock: it is collected after that has run out.
    expect(await collect(early.code, network, at(599 + 299))).toEqual({ token: user.token });
  });

  it("hands the token out for five minutes after the approval", async () => {
    const inTime = await approved();
    const tooLate = await approved();
    expect(await collect(inTime.code, inTime.network, at(299))).toEqual({ token: inTime.user.token });
    expect(await collect(tooLate.code, tooLate.network, at(300))).toBeNull();
    expect(await statusOf(tooLate.id)).toBe("approved");
  });

  it("answers the same program again for 10 seconds, and never another; each repeat is written down", async () => {
    const { code, network, user, id } = await approved();
    expect(await collect(code, network, at(10))).toEqual({ token: user.token });
    expect(await collect(code, network, at(19))).toEqual({ token: user.token });
    expect(await collect(code, network, at(19), { program: "another/1.0" })).toBeNull();
    expect(await collect(code, newNetwork(), at(11))).toBeNull();
    expect(await collect(code, network, at(20))).toBeNull();
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ repeats: 1 });
    expect(await actions(id)).toEqual(["link.approve", "link.collect", "link.repeat"]);
  });

  it("answers no more than 20 times again", async () => {
    const { code, network } = await approved();
    const answers = [];
    for (let count = 0; count < 25; count++) answers.push(await collect(code, network, at(1)));
    expect(answers.filter((answer) => answer !== null)).toHaveLength(21);
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
    expect(await collect(code, network, at(2))).toBeNull();
    expect(await statusOf(id)).toBe("approved");
  });

  it("a response is not repeated for a token rotated since then", async () => {
    const { code, network, user } = await approved();
    expect(await collect(code, network, at(1))).toEqual({ token: user.token });
    await rotateToken(user.id, user.id, at(2));
    expect(await collect(code, network, at(3))).toBeNull();
  });

  it("no token is lost when handing out fails: the code is not used up", async () => {
    const { code, network, user, id } = await approved();
    const { tokenSealed } = await db.user.findUniqueOrThrow({ where: { id: user.id } });
    await db.user.update({ where: { id: user.id }, data: { tokenSealed: Buffer.alloc(74).toString("base64") } });
    await expect(collect(code, network, at(1))).rejects.toThrow();
    expect(await statusOf(id)).toBe("approved");
    await db.user.update({ where: { id: user.id }, data: { tokenSealed } });
    expect(await collect(code, network, at(2))).toEqual({ token: user.token });
  });

  it("a disabled account cannot approve", async () => {
    const network = newNetwork();
    const user = await makeUser({ disabledAt: at(0) });
    const { id } = await ask(network);
    await expect(approveRequest({ id: user.id, network }, id, at(1))).rejects.toMatchObject({
      status: 403,
      code: "account_disabled",
    });
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
    await expect(approveRequest(theirs, id, at(3))).rejects.toMatchObject({ status: 409, code: "code_unusable" });
    await expect(denyRequest(theirs, id, at(3))).rejects.toMatchObject({ code: "code_unusable" });
    await expect(denyRequest(mine, id, at(3))).rejects.toMatchObject({ code: "code_unusable" });
    // What others decided is not told: the code is found as if it waited, until its time is over.
    for (const user of [first, second]) expect(await enter(user, code, at(3))).toBe(id);
    await expect(enter(second, code, at(600))).rejects.toMatchObject({ code: "code_not_found" });
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({
      userId: first.id,
      collectBy: at(301),
    });
    expect(await collect(code, network, at(4))).toEqual({ token: first.token });
  });

  it("after a denial is refused, and denying again is not", async () => {
    const network = newNetwork();
    const [first, second] = [await makeUser(), await makeUser()];
    const { code, id } = await ask(network);
    await denyRequest({ id: first.id, network }, id, at(1));
    await denyRequest({ id: first.id, network }, id, at(2));
    await expect(approveRequest({ id: first.id, network }, id, at(3))).rejects.toMatchObject({ code: "code_unusable" });
    await expect(approveRequest({ id: second.id, network }, id, at(3))).rejects.toMatchObject({
      code: "code_unusable",
    });
    for (const user of [first, second]) expect(await enter(user, code, at(3))).toBe(id);
    expect(await collect(code, network, at(4))).toBeNull();
  });
});

describe("another network", () => {
  it("gets nothing, whether it asked before the approval or after; who asked first collects at once", async () => {
    const [own, early, late] = [newNetwork(), newNetwork(), newNetwork()];
    const user = await makeUser();
    const { code, id } = await ask(own);
    expect(await collect(code, early, at(1))).toBeNull();
    await approveRequest({ id: user.id, network: own }, id, at(2));
    for (const stranger of [early, late]) expect(await collect(code, stranger, at(3))).toBeNull();
    expect(await collect(code, own, at(4))).toEqual({ token: user.token });
    expect(await actions(id)).toEqual(["link.look", "link.approve", "link.look", "link.collect"]);
  });

  it("collects once the person has allowed it, that one and no other, and may ask again", async () => {
    const { code, user, id } = await approved();
    const [moved, stranger] = [newNetwork(), newNetwork()];
    for (const network of [moved, stranger]) expect(await collect(code, network, at(1))).toBeNull();
    await allowProgram(user.id, id, { network: moved.id, webPage: "" }, at(2));
    expect(await collect(code, stranger, at(3))).toBeNull();
    for (const seconds of [4, 5]) expect(await collect(code, moved, at(seconds))).toEqual({ token: user.token });
    expect(await collect(code, stranger, at(5))).toBeNull();
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ collectedNetwork: moved.id });
    expect((await actions(id)).filter((action) => action === "link.allow")).toHaveLength(1);
  });

  it("gets nothing once it was turned away, and is not asked about again", async () => {
    const { code, user, id, network } = await approved();
    const moved = newNetwork();
    await collect(code, moved, at(1));
    await allowProgram(user.id, id, { network: moved.id, webPage: "" }, at(2));
    await disallowProgram(user.id, id, { network: moved.id, webPage: "" }, at(3));
    expect(await collect(code, moved, at(4))).toBeNull();
    expect(await viewRequest({ id: user.id, network }, id, at(5))).toMatchObject({
      state: "approved",
      onlookers: { networks: 1, wanting: [] },
    });
    expect(await collect(code, network, at(6))).toEqual({ token: user.token });
  });

  it("is allowed only by the approver, and not when nothing is left to collect", async () => {
    const { code, id, user, network } = await approved();
    const [moved, other] = [newNetwork(), await makeUser()];
    const elsewhere = { network: moved.id, webPage: "" };
    await expect(allowProgram(other.id, id, elsewhere, at(1))).rejects.toMatchObject({ code: "code_unusable" });
    await expect(allowProgram(user.id, id, elsewhere, at(300))).rejects.toMatchObject({ code: "code_unusable" });
    expect(await collect(code, network, at(2))).toEqual({ token: user.token });
    await expect(allowProgram(user.id, id, elsewhere, at(3))).rejects.toMatchObject({ code: "code_unusable" });
    expect(await collect(code, moved, at(4))).toBeNull();
  });
});

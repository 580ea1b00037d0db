import { describe, expect, it } from "vitest";
import { GET } from "@/app/(api)/link/user/route";
import { rotateToken } from "@/lib/accounts/identity/token";
import { approveRequest, denyRequest } from "@/lib/link/approve";
import { redeemDevice, startDevice } from "@/lib/link/device-flow";
import { newPollSecret } from "@/lib/link/poll-secret";
import { viewRequest } from "@/lib/link/view";
import { db } from "@/lib/platform/db/client";
import type { Network } from "@/lib/platform/network/network";
import { newNetwork } from "@/tests/support/request";
import { statementsOf } from "@/tests/support/statements";
import { makeUser } from "@/tests/support/user";
import {
  allow,
  approved,
  at,
  collect,
  enter,
  neverIssued,
  newRequest,
  requested,
  START,
  status,
  unlessLimited,
} from "./flow";

const unusable = { status: 409, code: "code_unusable" };
const statusOf = async (id: string) => (await db.linkCode.findUniqueOrThrow({ where: { id } })).status;
const actions = async (id: string) =>
  (await db.auditEvent.findMany({ where: { subjectId: id }, orderBy: { id: "asc" } })).map(({ action }) => action);

describe("clocks", () => {
  it("takes an approval one second before the end, and none after it", async () => {
    const { network, user, actor, ...early } = await requested();
    const late = await newRequest(network);
    await approveRequest(actor, early.id, { now: at(599) });
    await expect(approveRequest(actor, late.id, { now: at(600) })).rejects.toMatchObject(unusable);
    await expect(denyRequest(actor, late.id, { now: at(601) })).rejects.toMatchObject(unusable);
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
    ["given a new token", (id: string) => rotateToken(id, { actorId: id, now: at(1) })],
  ])("the token of an account that was %s is not handed out: the code has expired", async (_, change) => {
    const { code, network, user, id } = await approved();
    await change(user.id);
    expect(await collect(code, network, at(2))).toBeNull();
    expect(await status(code, network, at(2))).toBe("expired");
    expect(await statusOf(id)).toBe("approved");
  });

  it("a response is not repeated for a token rotated since then", async () => {
    const { code, network, user } = await approved();
    expect(await collect(code, network, at(1))).toEqual({ token: user.token });
    await rotateToken(user.id, { actorId: user.id, now: at(2) });
    expect(await collect(code, network, at(3))).toBeNull();
  });

  it("no token is lost when handing out fails: a 500 has the same body, and the code is not used up", async () => {
    const { code, secret, id, user } = await approved(newNetwork(), new Date());
    const { tokenSealed } = await db.user.findUniqueOrThrow({ where: { id: user.id } });
    const send = () =>
      GET(new Request(`http://127.0.0.1/link/user?code=${code}`, { headers: { "Link-Secret": secret } }));
    await db.user.update({ where: { id: user.id }, data: { tokenSealed: Buffer.alloc(74).toString("base64") } });
    const failed = await send();
    expect([failed.status, await failed.text()]).toEqual([500, '{"linked":false,"token":""}']);
    expect(await statusOf(id)).toBe("approved");
    await db.user.update({ where: { id: user.id }, data: { tokenSealed } });
    expect(await (await send()).json()).toEqual({ linked: true, token: user.token });
  });

  it("a disabled account cannot approve", async () => {
    const network = newNetwork();
    const user = await makeUser({ disabledAt: at(0) });
    const { id } = await newRequest(network);
    await expect(approveRequest({ id: user.id, network }, id, { now: at(1) })).rejects.toMatchObject({
      status: 403,
      code: "account_disabled",
    });
    expect(await statusOf(id)).toBe("pending");
  });
});

it("a second decision is told what happened, and changes nothing", async () => {
  const { code, id, network, user: first, actor: mine } = await requested();
  const second = await makeUser();
  const theirs = { id: second.id, network };
  await approveRequest(mine, id, { now: at(1) });
  await approveRequest(mine, id, { now: at(2) });
  await expect(approveRequest(theirs, id, { now: at(3) })).rejects.toMatchObject(unusable);
  for (const actor of [mine, theirs])
    await expect(denyRequest(actor, id, { now: at(3) })).rejects.toMatchObject(unusable);
  // What others decided is not told: the code is found as if it waited, until its time is over.
  for (const user of [first, second]) expect(await enter(user, code, at(3))).toBe(id);
  await expect(enter(second, code, at(600))).rejects.toMatchObject({ code: "code_not_found" });
  expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({
    userId: first.id,
    collectBy: at(301),
  });
  expect(await collect(code, network, at(4))).toEqual({ token: first.token });
});

it("a second decision after a denial is refused, and denying again is not", async () => {
  const { code, id, network, user: first, actor: mine } = await requested();
  const second = await makeUser();
  for (const seconds of [1, 2]) await denyRequest(mine, id, { now: at(seconds) });
  for (const actor of [mine, { id: second.id, network }])
    await expect(approveRequest(actor, id, { now: at(3) })).rejects.toMatchObject(unusable);
  for (const user of [first, second]) expect(await enter(user, code, at(3))).toBe(id);
  expect(await collect(code, network, at(4))).toBeNull();
});

describe("a program that sends its poll secret back", () => {
  it("collects from any network, and from then on its own network and one that was allowed do not", async () => {
    const { code, secret, id, network, user } = await approved();
    const moved = newNetwork();
    await collect(code, moved, at(1));
    await allow(user, id, { network: moved, now: at(1) });
    const { code: pending, secret: key, id: pendingId } = await newRequest(network);
    expect(await collect(pending, newNetwork(), at(1), { secret: key })).toBeNull();
    await approveRequest({ id: user.id, network }, pendingId, { now: at(2) });
    await allow(user, pendingId, { network: moved, now: at(2) });
    for (const from of [network, moved]) expect(await collect(pending, from, at(3))).toBeNull();
    expect(await collect(pending, newNetwork(), at(4), { secret: key })).toEqual({ token: user.token });
    expect(await collect(code, newNetwork(), at(4), { secret })).toEqual({ token: user.token });
  });

  it("gets its answer again for 10 seconds, from another network too, and nobody without it does", async () => {
    const { code, secret, network, user } = await approved();
    expect(await collect(code, network, at(1), { secret })).toEqual({ token: user.token });
    expect(await collect(code, network, at(2))).toBeNull();
    expect(await collect(code, newNetwork(), at(10), { secret, program: "another/1.0" })).toEqual({
      token: user.token,
    });
    expect(await collect(code, network, at(11), { secret })).toBeNull();
  });

  it("is never limited at either route, also where its network has guessed too much, and binds once", async () => {
    const { network, user, actor, code, secret, id } = await requested();
    for (let count = 0; count < 40; count++) await unlessLimited(collect(neverIssued(), network, at(1)));
    for (let count = 0; count < 75; count++) {
      expect(await collect(code, network, at(1 + count), { secret })).toBeNull();
      expect(await status(code, network, at(1 + count), { secret })).toBe("pending");
    }
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ boundAt: at(1) });
    await approveRequest(actor, id, { now: at(99) });
    expect(await collect(code, network, at(99), { secret })).toEqual({ token: user.token });
  });

  it("is asked about nowhere: no other program gets the person's word", async () => {
    const { code, secret, id, user, actor } = await approved();
    await collect(code, newNetwork(), at(1));
    expect((await viewRequest(actor, id, at(2)))?.onlookers?.pending).toHaveLength(1);
    await db.linkCode.update({ where: { id }, data: { boundAt: at(2) } });
    expect((await viewRequest(actor, id, at(3)))?.onlookers).toMatchObject({ networks: 1, pending: [] });
    expect(await collect(code, newNetwork(), at(3), { secret })).toEqual({ token: user.token });
  });
});

it("a wrong secret binds nothing and takes nothing: the program without one collects as ever", async () => {
  const { code, id, network, user } = await approved();
  const { secret: another } = await newRequest(network);
  for (const secret of [another, newPollSecret(), "", "x", "x".repeat(5_000)]) {
    expect(await collect(code, network, at(1), { secret })).toBeNull();
    expect(await collect(code, newNetwork(), at(1), { secret })).toBeNull();
  }
  expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "approved", boundAt: null });
  expect(await collect(code, network, at(2))).toEqual({ token: user.token });
});

it("a wrong secret counts like a guess, in the code's own network too", async () => {
  const network = newNetwork();
  const answers = [];
  for (let count = 0; count < 31; count++) {
    const { code } = await newRequest(network);
    answers.push(await collect(code, network, at(1), { secret: "wrong" }).catch((error) => error.status));
  }
  expect(answers).toEqual([...Array(30).fill(null), 429]);
});

it("a wrong secret is any, for a code from before there were secrets; its network collects", async () => {
  const { code, secret, id, network, user } = await approved();
  await db.linkCode.update({ where: { id }, data: { secretHash: null } });
  expect(await collect(code, network, at(1), { secret })).toBeNull();
  expect(await collect(code, network, at(1), { secret: "" })).toBeNull();
  expect(await collect(code, network, at(2))).toEqual({ token: user.token });
});

describe("a device code (RFC 8628)", () => {
  const redeem = (deviceCode: string, network: Network, now: Date) =>
    redeemDevice({ requester: { network, program: "tool/1.0", webPage: null }, deviceCode, now });
  const start = (network: Network) =>
    startDevice({ network, program: "tool/1.0", webPage: null }, { name: "Tool", now: START });

  it("whose token its user removes at that moment can't be redeemed, which is no fault of the service", async () => {
    const [network, user] = [newNetwork(), await makeUser()];
    const { deviceCode, id } = await start(network);
    await approveRequest({ id: user.id, network }, id, { now: at(1) });
    expect(await redeem(deviceCode, network, at(2))).toMatchObject({ token: expect.stringMatching(/^lkt_/) });
    await db.accessToken.delete({ where: { id } });
    expect(await redeem(deviceCode, network, at(3))).toEqual({ token: null, error: "invalid_grant" });
  });

  it("that is guessed counts like a poll: after 30 codes, 429, and the right one is never limited", async () => {
    const network = newNetwork();
    const { deviceCode } = await start(network);
    for (let count = 0; count < 30; count++)
      expect(await redeem(neverIssued() + newPollSecret(), network, at(1))).toMatchObject({ error: "invalid_grant" });
    for (let count = 0; count < 5; count++)
      expect(await unlessLimited(redeem(neverIssued() + newPollSecret(), network, at(1)))).toBeNull();
    expect(await redeem(deviceCode, network, at(2))).toMatchObject({ error: "authorization_pending" });
  });

  it("costs a stranger the same statements, hit or miss", async () => {
    const { code } = await start(newNetwork());
    const [hit, miss] = [newNetwork(), newNetwork()];
    const hits = await statementsOf(() => redeem(code + newPollSecret(), hit, at(1)));
    expect(await statementsOf(() => redeem(neverIssued() + newPollSecret(), miss, at(1)))).toEqual(hits);
  });
});

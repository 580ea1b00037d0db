import { describe, expect, it } from "vitest";
import { allowProgram, approveRequest } from "@/lib/link/approve";
import { newPollSecret } from "@/lib/link/code";
import { viewRequest } from "@/lib/link/view";
import { db } from "@/lib/platform/db/client";
import { newNetwork } from "@/tests/support/request";
import { approved, at, collect, neverIssued, newRequest, requested, status, unlessLimited } from "./flow";

describe("a program that sends its poll secret back", () => {
  it("collects from any network, and from then on its own network and one that was allowed do not", async () => {
    const { code, secret, id, network, user } = await approved();
    const moved = newNetwork();
    await collect(code, moved, at(1));
    await allowProgram(user.id, id, { network: moved.id, webPage: "", now: at(1) });
    const { code: pending, secret: key, id: pendingId } = await newRequest(network);
    expect(await collect(pending, newNetwork(), at(1), { secret: key })).toBeNull();
    await approveRequest({ id: user.id, network }, pendingId, { now: at(2) });
    await allowProgram(user.id, pendingId, { network: moved.id, webPage: "", now: at(2) });
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

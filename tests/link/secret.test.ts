import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { allowProgram } from "@/lib/link/allow";
import { approveRequest } from "@/lib/link/decide";
import { newPollSecret } from "@/lib/link/poll-secret";
import { viewRequest } from "@/lib/link/view";
import { unlessLimited } from "@/scripts/link-odds/unless-limited";
import { approved, ask, at, collect, neverGiven } from "@/tests/link/flow";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";

describe("a program that sends its poll secret back", () => {
  it(
    "collects from any network, and nobody else does from then on, its own network and one that was " +
      "allowed included",
    async () => {
      const { code, secret, id, network, user } = await approved();
      const moved = newNetwork();
      await collect(code, moved, at(1));
      await allowProgram(user.id, id, { network: moved.id, webPage: "" }, at(1));
      const { code: pending, secret: key, id: pendingId } = await ask(network);
      expect(await collect(pending, newNetwork(), at(1), { secret: key })).toBeNull();
      await approveRequest({ id: user.id, network }, pendingId, at(2));
      await allowProgram(user.id, pendingId, { network: moved.id, webPage: "" }, at(2));
      for (const from of [network, moved]) expect(await collect(pending, from, at(3))).toBeNull();
      expect(await collect(pending, newNetwork(), at(4), { secret: key })).toEqual({ token: user.token });
      expect(await collect(code, newNetwork(), at(4), { secret })).toEqual({ token: user.token });
    },
  );

  it("gets its answer again for 10 seconds, from another network too, and nobody without it does", async () => {
    const { code, secret, network, user } = await approved();
    expect(await collect(code, network, at(1), { secret })).toEqual({ token: user.token });
    expect(await collect(code, network, at(2))).toBeNull();
    expect(await collect(code, newNetwork(), at(10), { secret, program: "another/1.0" })).toEqual({
      token: user.token,
    });
    expect(await collect(code, network, at(11), { secret })).toBeNull();
  });

  it("is never limited, also where its network has guessed too much", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const { code, secret, id } = await ask(network);
    for (let count = 0; count < 60; count++) await unlessLimited(collect(neverGiven(), network, at(1)));
    for (let count = 0; count < 150; count++) expect(await collect(code, network, at(1), { secret })).toBeNull();
    await approveRequest({ id: user.id, network }, id, at(1));
    expect(await collect(code, network, at(1), { secret })).toEqual({ token: user.token });
  });

  it("is asked about nowhere: no other program gets the person's word", async () => {
    const { code, secret, id, network, user } = await approved();
    await collect(code, newNetwork(), at(1));
    const viewer = { id: user.id, network };
    expect((await viewRequest(viewer, id, at(2)))?.onlookers?.wanting).toHaveLength(1);
    await db.linkCode.update({ where: { id }, data: { boundAt: at(2) } });
    expect((await viewRequest(viewer, id, at(3)))?.onlookers).toMatchObject({ networks: 1, wanting: [] });
    expect(await collect(code, newNetwork(), at(3), { secret })).toEqual({ token: user.token });
  });
});

describe("a wrong secret", () => {
  it("binds nothing and takes nothing: the program without one collects as ever", async () => {
    const { code, id, network, user } = await approved();
    const { secret: another } = await ask(network);
    for (const secret of [another, newPollSecret(), "", "x", "x".repeat(5_000)]) {
      expect(await collect(code, network, at(1), { secret })).toBeNull();
      expect(await collect(code, newNetwork(), at(1), { secret })).toBeNull();
    }
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "approved", boundAt: null });
    expect(await collect(code, network, at(2))).toEqual({ token: user.token });
  });

  it("counts like a guess, in the code's own network too", async () => {
    const network = newNetwork();
    const codes = [];
    for (let count = 0; count < 31; count++) codes.push((await ask(network)).code);
    const answers = [];
    for (const code of codes)
      answers.push(await collect(code, network, at(1), { secret: "wrong" }).catch(({ status }) => status));
    expect(answers).toEqual([...Array(30).fill(null), 429]);
  });

  it("is any, for a code from before there were secrets; its network collects", async () => {
    const { code, secret, id, network, user } = await approved();
    await db.linkCode.update({ where: { id }, data: { secretHash: null } });
    expect(await collect(code, network, at(1), { secret })).toBeNull();
    expect(await collect(code, network, at(1), { secret: "" })).toBeNull();
    expect(await collect(code, network, at(2))).toEqual({ token: user.token });
  });
});

it("a secret is another for each code, 256 bits, and stands nowhere in the database", async () => {
  const [one, other] = [await ask(), await ask()];
  expect(Buffer.from(one.secret, "base64url")).toHaveLength(32);
  expect(one.secret).toMatch(/^[\w-]{43}$/);
  expect(other.secret).not.toBe(one.secret);
  const rows = JSON.stringify([await db.linkCode.findMany(), await db.auditEvent.findMany()], (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  expect(rows).not.toContain(one.secret);
});

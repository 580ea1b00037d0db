import { describe, expect, it } from "vitest";
import { approveRequest, denyRequest } from "@/lib/link/approve";
import { viewRequest } from "@/lib/link/view";
import { db } from "@/lib/platform/db/client";
import { type Network, networkBehind } from "@/lib/platform/network/network";
import { newNetwork } from "@/tests/support/request";
import { sized } from "@/tests/support/size";
import { codeOf } from "@/tests/support/statements";
import { makeUser } from "@/tests/support/user";
import {
  allow,
  approved,
  at,
  collect,
  disallow,
  enter,
  neverIssued,
  newRequest,
  requested,
  START,
  unlessLimited,
} from "./flow";

describe("watching the page in an account of one's own", () => {
  it("shows the same before the owner decides and after, whatever it was, until the code's time is over", async () => {
    const [home, elsewhere] = [newNetwork(), newNetwork()];
    const [owner, onlooker] = [await makeUser(), await makeUser()];
    const watcher = { id: onlooker.id, network: elsewhere };
    for (const decide of [approveRequest, denyRequest, null]) {
      const { code, id } = await newRequest(home);
      await enter(onlooker, code, at(1), elsewhere);
      const before = await viewRequest(watcher, id, at(20));
      if (decide) await decide({ id: owner.id, network: home }, id, { now: at(10) });
      expect(await viewRequest(watcher, id, at(20))).toEqual(before);
      expect(await enter(onlooker, code, at(20), elsewhere)).toBe(id);
      expect(await enter(await makeUser(), code, at(20))).toBe(id);
      if (decide === approveRequest) expect(await collect(code, home, at(20))).toEqual({ token: owner.token });
      expect(await viewRequest(watcher, id, at(20))).toEqual(before);
      expect(await viewRequest(watcher, id, at(600))).toMatchObject({ state: "closed" });
      await expect(enter(onlooker, code, at(600), elsewhere)).rejects.toMatchObject({
        status: 404,
        code: "code_not_found",
      });
    }
  });

  it("ends the same for a code that was approved, denied, has expired or never was", async () => {
    const [linked, denied, expired, onlooker] = [
      await approved(),
      await requested(),
      await newRequest(),
      await makeUser(),
    ];
    await denyRequest(denied.actor, denied.id, { now: at(1) });
    const said = async (work: Promise<unknown>) =>
      work.then(String, ({ status, code, message }) => JSON.stringify([status, code, message]));
    const entries = await Promise.all(
      [linked.code, denied.code, expired.code, "QXQXQX"].map((code) => said(enter(onlooker, code, at(601)))),
    );
    expect(new Set(entries).size).toBe(1);
    const decisions = await Promise.all(
      [linked, denied, expired].flatMap(({ id }) =>
        [approveRequest, denyRequest].map((decide) =>
          said(decide({ id: onlooker.id, network: newNetwork() }, id, { now: at(id === expired.id ? 601 : 2) })),
        ),
      ),
    );
    expect(new Set(decisions).size).toBe(1);
  });
});

describe("asking first", () => {
  it("gives an onlooker nothing, in whatever order he enters, asks and watches; his victim collects", async () => {
    const [owner, onlooker] = [await makeUser(), await makeUser()];
    for (let round = 0; round < sized(8, 200); round++) {
      const [home, elsewhere] = [newNetwork(), newNetwork()];
      const { code, id } = await newRequest(home);
      const tries = () =>
        Promise.all(
          [{}, {}, { secret: "guess" }, { program: "" }].map((beside) => collect(code, elsewhere, at(2), beside)),
        );
      const early = tries();
      const steps = [
        () => enter(onlooker, code, at(1), elsewhere).then(() => null),
        () => collect(code, elsewhere, at(2)),
        () => approveRequest({ id: owner.id, network: home }, id, { now: at(3) }).then(() => null),
        async () => {
          const seen = await viewRequest({ id: onlooker.id, network: elsewhere }, id, at(4));
          return seen?.state === "pending" ? null : seen;
        },
      ];
      const got: unknown[] = [];
      for (let step = 0; step < steps.length; step++) got.push(await steps[(step + round) % steps.length]?.());
      got.push(...(await early), ...(await tries()));
      expect(await collect(code, home, at(6))).toEqual({ token: owner.token });
      got.push(await collect(code, elsewhere, at(7)));
      expect(new Set(got)).toEqual(new Set([null]));
    }
  });

  it("from very many networks does not hide the program that has changed its own", async () => {
    const { code, id, user, actor } = await approved();
    const moved = newNetwork();
    expect(await collect(code, moved, at(1))).toBeNull();
    const [block] = moved.id.split(".");
    const within = (n: number) => ({ id: `2001:db8:${block}:${n.toString(16)}::/64`, kind: "remote" }) as const;
    for (let n = 0; n < 60; n++) await unlessLimited(collect(code, within(n), at(2)));
    for (let n = 0; n < 10; n++) await collect(code, newNetwork(), at(3), { program: "curl/9.9" });
    const pending = (await viewRequest(actor, id, at(4)))?.onlookers?.pending ?? [];
    expect(pending.length).toBeLessThanOrEqual(6);
    expect(pending.map(({ network }) => network)).toContain(moved.id);
    expect(pending.filter(({ network }) => network.startsWith("2001:")).length).toBeLessThanOrEqual(2);
    await allow(user, id, { network: moved, now: at(5) });
    expect(await collect(code, moved, at(6))).toEqual({ token: user.token });
  });
});

type Answer = "nothing" | "token" | "limited";

async function guess(code: string, network: Network, program = "guesser/1.0"): Promise<Answer> {
  try {
    return (await collect(code, network, at(1), { program })) ? "token" : "nothing";
  } catch (error) {
    expect(error).toMatchObject({ status: 429, code: "rate_limited" });
    return "limited";
  }
}

async function burn(network: Network, count = 31): Promise<void> {
  for (let n = 0; n < count; n++) await guess(neverIssued(), network);
}

describe("beyond the limit", () => {
  it("so is one that the neighbour's program asked for before; that program loses nothing but a press", async () => {
    const { network, user, actor, code, id } = await requested();
    expect(await collect(code, network, at(1))).toBeNull();
    await burn(network);
    for (let count = 0; count < 100; count++) await guess(neverIssued(), network, `guesser/${count % 40}`);
    const refusal = (letters: string) =>
      collect(letters, network, at(1)).catch(({ status, code: reason, message, headers }) => ({
        status,
        reason,
        message,
        headers,
      }));
    expect(await refusal(code)).toEqual(await refusal(neverIssued()));
    await approveRequest(actor, id, { now: at(2) });
    expect(await refusal(code)).toEqual(await refusal(neverIssued()));
    const seen = await viewRequest(actor, id, at(3));
    expect(seen?.onlookers?.pending).toMatchObject([
      { network: network.id, webPage: "", isYours: true, isAllowed: false },
    ]);
    await allow(user, id, { network, now: at(4) });
    expect(await collect(code, network, at(5))).toEqual({ token: user.token });
  });

  it("a program that asks again and again for its one new code does not spend those of its neighbours", async () => {
    const network = newNetwork();
    const [requested, fresh] = [await newRequest(network), await newRequest(network)];
    expect(await collect(requested.code, network, at(1))).toBeNull();
    await burn(network);
    for (let count = 0; count < 40; count++) expect(await guess(fresh.code, network, "curl/8.5.0")).toBe("limited");
    expect(await guess(requested.code, network, "curl/8.5.0")).toBe("nothing");
  });
});

it("letters that were asked for before they were given out need the person's press: a guesser may wait", async () => {
  const { network, user, actor, code, id } = await requested();
  expect(await guess(code, network)).toBe("nothing");
  // As if the code had been issued, to a neighbour, after the guesser asked for them.
  const issued = Date.now() + 5_000;
  const after = (seconds: number) => new Date(issued + seconds * 1_000);
  await db.linkCode.update({ where: { id }, data: { createdAt: after(0), expiresAt: after(600) } });
  await approveRequest(actor, id, { now: after(1) });
  for (let count = 0; count < 5; count++) expect(await collect(code, network, after(1))).toBeNull();
  expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "approved" });
  await db.linkQuestion.updateMany({ where: { network: network.id }, data: { at: after(0) } });
  const seen = await viewRequest(actor, id, after(2));
  expect(seen?.onlookers?.pending).toMatchObject([{ network: network.id, isYours: true }]);
  await allow(user, id, { network, now: after(3) });
  expect(await collect(code, network, after(4))).toEqual({ token: user.token });
});

it("whoever guesses past the limit gets no token, under any name, of codes of his network or of others", async () => {
  const [home, user] = [newNetwork(), await makeUser()];
  await burn(home, 40);
  for (let n = 0; n < sized(8, 200); n++) {
    const { code, id, secret } =
      (await unlessLimited(newRequest(n % 2 ? home : newNetwork(), START))) ?? (await newRequest());
    await approveRequest({ id: user.id, network: home }, id, { now: at(1) });
    const answers = await Promise.all(
      [{}, { program: `guesser/${n}` }, { webPage: "https://guess.example" }].map((beside) =>
        unlessLimited(collect(code, home, at(2), beside)),
      ),
    );
    expect(answers).toEqual([null, null, null]);
    expect(await unlessLimited(collect(neverIssued(), home, at(2)))).toBeNull();
    expect(await collect(code, newNetwork(), at(3), { secret })).toEqual({ token: user.token });
  }
});

describe("another network", () => {
  it("is asked about, collects once the person has allowed it, that one and no other, and may ask again", async () => {
    const { code, id, network: home, user, actor } = await requested();
    const [moved, stranger] = [newNetwork(), newNetwork()];
    expect(await collect(code, home, at(0))).toBeNull();
    await approveRequest({ id: user.id, network: newNetwork() }, id, { now: at(0) });
    for (const network of [moved, stranger]) expect(await collect(code, network, at(1))).toBeNull();
    const pending = (await viewRequest(actor, id, at(1)))?.onlookers?.pending ?? [];
    expect(pending.map(({ network }) => network).toSorted()).toEqual([moved.id, stranger.id].toSorted());
    await allow(user, id, { network: moved, now: at(2) });
    // Nobody but the one who is turned away loses anything.
    await disallow(user, id, { network: stranger, now: at(2) });
    expect(await collect(code, stranger, at(3))).toBeNull();
    for (const seconds of [4, 5]) expect(await collect(code, moved, at(seconds))).toEqual({ token: user.token });
    expect(await collect(code, stranger, at(5))).toBeNull();
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ collectedNetwork: moved.id });
    expect(await db.auditEvent.count({ where: { subjectId: id, action: "link.allow" } })).toBe(1);
  });

  it("gets nothing once it was turned away, and is not asked about again", async () => {
    const { code, user, id, network, actor } = await approved();
    const moved = newNetwork();
    await collect(code, moved, at(1));
    await allow(user, id, { network: moved, now: at(2) });
    await disallow(user, id, { network: moved, now: at(3) });
    expect(await collect(code, moved, at(4))).toBeNull();
    expect(await viewRequest(actor, id, at(5))).toMatchObject({
      state: "approved",
      onlookers: { networks: 1, pending: [] },
    });
    expect(await collect(code, network, at(6))).toEqual({ token: user.token });
  });

  it("is allowed only by the approver, and not when nothing is left to collect", async () => {
    const { code, id, user, network } = await approved();
    const [moved, other] = [newNetwork(), await makeUser()];
    const allowed = (by: { id: string }, seconds: number) =>
      codeOf(allow(by, id, { network: moved, now: at(seconds) }));
    expect([await allowed(other, 1), await allowed(user, 300)]).toEqual(Array(2).fill("code_unusable"));
    expect(await collect(code, network, at(2))).toEqual({ token: user.token });
    expect(await allowed(user, 3)).toBe("code_unusable");
    expect(await collect(code, moved, at(4))).toBeNull();
  });
});

it("forged networks get nothing, in every spelling, even for a program behind an unnamed proxy", async () => {
  for (const home of [newNetwork(), networkBehind(newNetwork().id)]) {
    const { code } = await approved(home);
    const forged: Network[] = [
      networkBehind(),
      networkBehind(home.id),
      { id: home.id, kind: "shared" },
      { id: `${home.id} `, kind: "remote" },
    ];
    const answers = await Promise.all(forged.map((network) => unlessLimited(collect(code, network, at(2)))));
    expect(answers).toEqual([null, null, null, null]);
  }
});

import { describe, expect, test } from "vitest";
import { approveRequest, denyRequest } from "@/lib/link/approve";
import { newPollSecret } from "@/lib/link/poll-secret";
import {
  awaitedAt,
  COLLECT_WITHIN_SECONDS,
  COLLECTED,
  deadAt,
  decidableAt,
  isAwaited,
  isCollected,
  isDecidable,
  isLive,
  isRepeatable,
  repeatableAt,
  STORED_STATES,
} from "@/lib/link/states";
import { viewRequest } from "@/lib/link/view";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { networkBehind } from "@/lib/platform/network/network";
import { at as atTime } from "@/tests/keys/keys";
import { newNetwork } from "@/tests/support/request";
import { statementsOf } from "@/tests/support/statements";
import { makeUser } from "@/tests/support/user";
import { allow, approved, at, collect, neverIssued, newRequest, requested, status } from "./flow";

const events = async (id: string) =>
  (await db.auditEvent.findMany({ where: { subjectId: id }, orderBy: { id: "asc" } })).map(({ action }) => action);

test("the program that a code was issued to learns what became of it, for good", async () => {
  const [network, user] = [newNetwork(), await makeUser()];
  const [pending, denied] = [await newRequest(network), await newRequest(network)];
  const [late, collected] = [await approved(network), await approved(network)];
  await denyRequest({ id: user.id, network }, denied.id, { now: at(1) });
  await collect(collected.code, network, at(2));
  for (const [{ code, secret }, seconds, told] of [
    [pending, 599, "pending"],
    [pending, 600, "expired"],
    [denied, 2, "denied"],
    [denied, 3_000, "denied"],
    [late, 299, "approved"],
    [late, 300, "expired"],
    [collected, 3, "collected"],
    [collected, 3_000, "collected"],
  ] as const) {
    expect(await status(code.toLowerCase(), network, at(seconds))).toBe(told);
    const elsewhere = { secret, program: "another/1.0", webPage: "https://game.example" };
    // It would bind a live one.
    if (told !== "pending" && told !== "approved")
      expect(await status(code, newNetwork(), at(seconds), elsewhere)).toBe(told);
  }
});

test("nothing is told with a wrong secret, or to a web page, in the code's own network too", async () => {
  const { code, network } = await approved();
  for (const secret of [newPollSecret(), "", "x".repeat(5_000)])
    expect(await status(code, network, at(1), { secret })).toBeNull();
  expect(await status(code, network, at(1), { webPage: "https://game.example" })).toBeNull();
  expect(await status(code, network, at(1))).toBe("approved");
});

test("nothing is told behind a proxy that nobody configured, where everybody has one network", async () => {
  const shared = networkBehind(newNetwork().id);
  const { code, secret } = await approved(shared);
  expect(await status(code, shared, at(1))).toBeNull();
  expect(await status(code, shared, at(1), { secret })).toBe("approved");
});

test("nothing is told to the network that the person allowed: that one collects", async () => {
  const { code, user, id } = await approved();
  const moved = newNetwork();
  await status(code, moved, at(1));
  await allow(user, id, { network: moved, now: at(2) });
  expect(await status(code, moved, at(3))).toBeNull();
  expect(await collect(code, moved, at(4))).toEqual({ token: user.token });
});

test("the secret binds its code here, too: nobody else collects or learns anything from then on", async () => {
  const { network, user, actor, code, secret, id } = await requested();
  expect(await status(code, newNetwork(), at(1), { secret })).toBe("pending");
  await approveRequest(actor, id, { now: at(2) });
  expect(await status(code, network, at(3))).toBeNull();
  expect(await collect(code, network, at(3))).toBeNull();
  expect(await collect(code, newNetwork(), at(4), { secret })).toEqual({ token: user.token });
  expect(await status(code, network, at(5))).toBeNull();
  expect(await status(code, network, at(5), { secret })).toBe("collected");
});

describe("a question counts like one for the token", () => {
  const limited = expect.objectContaining({ status: 429, code: "rate_limited" });

  test("one's own pending code 20 times a second, at both routes together", async () => {
    const network = newNetwork();
    const { code } = await newRequest(network);
    await atTime(Date.now(), async () => {
      for (let count = 0; count < 50; count++) {
        expect(await status(code, network, at(1))).toBe("pending");
        expect(await collect(code, network, at(1))).toBeNull();
      }
      await expect(status(code, network, at(1))).rejects.toEqual(limited);
    });
  });

  test("a stranger's is shown to the person, once, and is recorded for a code that does not exist, too", async () => {
    const stranger = newNetwork();
    const { code, id, actor } = await approved();
    for (let count = 0; count < 3; count++) await status(code, stranger, at(1));
    await collect(code, stranger, at(1));
    await status(neverIssued(), stranger, at(1));
    expect((await viewRequest(actor, id, at(2)))?.onlookers).toMatchObject({
      networks: 1,
      pending: [{ network: stranger.id }],
    });
    expect(await events(id)).toEqual(["link.approve", "link.look"]);
    expect(await events(stranger.id)).toEqual(["link.refuse"]);
  });

  test("costs a stranger the same statements, hit or miss, first or again", async () => {
    const { code } = await approved();
    const [hit, miss] = [newNetwork(), newNetwork()];
    const unknown = neverIssued();
    for (const _ of ["first", "again"]) {
      const [hits, misses] = [
        await statementsOf(() => status(code, hit, at(1))),
        await statementsOf(() => status(unknown, miss, at(1))),
      ];
      expect(hits).toEqual(misses);
    }
  });
});

test("the database finds the same links as a check in memory, at every end and just before and after", async () => {
  const ends = [null, at(-1), at(0), at(1), at(11)];
  const program = newId();
  const rows = STORED_STATES.flatMap((status) =>
    ends.flatMap((collectBy) =>
      ends.flatMap((collectedAt) =>
        [at(-1), at(0), at(1)].map((expiresAt) => ({ status, collectBy, collectedAt, expiresAt })),
      ),
    ),
  );
  const common = { program, network: "n", createdAt: at(-COLLECT_WITHIN_SECONDS) };
  await db.linkCode.createMany({ data: rows.map((row) => ({ id: newId(), ...common, ...row })) });
  const links = await db.linkCode.findMany({ where: { program } });
  const [now, later] = [at(0), at(10)];
  for (const [is, where] of [
    [(link) => isDecidable(link, now), decidableAt(now)],
    [(link) => isAwaited(link, now), awaitedAt(now)],
    [(link) => isRepeatable(link, later), repeatableAt(later)],
    [isCollected, COLLECTED],
  ] satisfies [(link: (typeof links)[number]) => boolean, object][]) {
    const found = await db.linkCode.findMany({ where: { AND: [{ program }, where] }, select: { id: true } });
    const expected = links.filter(is).map(({ id }) => id);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(expected));
    expect(expected.length).toBeGreaterThan(0);
  }
  const dead = await db.linkCode.findMany({ where: { AND: [{ program }, deadAt(later)] } });
  expect(dead.filter((link) => isLive(link, later) || isRepeatable(link, later))).toEqual([]);
  await db.linkCode.deleteMany({ where: { program } });
});

import { describe, expect, it } from "vitest";

import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { limiter } from "@/lib/limits";
import { allowProgram } from "@/lib/link/allow";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { type Network, networkBehind } from "@/lib/network";
import { newNetwork } from "@/tests/support/network";
import { isHeavy } from "@/tests/support/size";
import { makeUser } from "@/tests/support/user";
import { approved, ask, at, collect, enter, neverGiven } from "./flow";
import { atOneMoment } from "./one-moment";

const limited = expect.objectContaining({
  status: 429,
  code: "rate_limited",
  headers: { "Retry-After": expect.stringMatching(/^[1-9]\d*$/) },
});

/** The answers to these codes, asked for one after another. */
async function poll(network: Network, codes: string[]) {
  const answers: ("nothing" | "token" | "limited")[] = [];
  for (const code of codes) {
    try {
      answers.push((await collect(code, network, at(1))) ? "token" : "nothing");
    } catch (error) {
      expect(error).toEqual(limited);
      answers.push("limited");
    }
  }
  return answers;
}

const unknown = (count: number) => Array.from({ length: count }, neverGiven);
const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

describe("what a network leaves in a day", () => {
  const DAY = 86_400;

  it("is 12,000 codes, so that no network uses up the letters of 30 days", async () => {
    const network = newNetwork();
    await limiter("link codes of a day", 12_000, DAY).take(network.id, 11_999);
    await ask(network);
    await expect(ask(network)).rejects.toEqual(limited);
  });

  it("is 200 events about it in the audit trail, of hits and misses alike; its questions still count", async () => {
    const [stranger, { code, id }] = [newNetwork(), await ask()];
    await limiter("link events of a day", 200, DAY).take(stranger.id, 199);
    expect(await poll(stranger, [...unknown(1), code, ...unknown(29)])).toEqual([...times(30, "nothing"), "limited"]);
    const about = { OR: [{ network: stranger.id }, { subjectId: id }] };
    expect(await db.auditEvent.findMany({ where: about })).toMatchObject([{ action: "link.refuse" }]);
    expect(await db.linkQuestion.count({ where: { network: stranger.id } })).toBe(30);
  });
});

describe("codes of others", () => {
  it("are 30 different ones in ten minutes; the 31st is refused with a time to wait, and logged once", async () => {
    const network = newNetwork();
    expect(await poll(network, unknown(33))).toEqual([...times(30, "nothing"), ...times(3, "limited")]);
    const refused = await db.auditEvent.findMany({
      where: { subjectId: network.id, detail: { contains: "other codes" } },
    });
    expect(refused).toMatchObject([{ action: "link.refuse", actorId: null }]);
  });

  it("count once each, however often they are asked for", async () => {
    const network = newNetwork();
    const codes = unknown(30);
    expect(await poll(network, [...codes, ...codes])).toEqual(times(60, "nothing"));
    expect(await poll(network, [...unknown(1), ...codes])).toEqual(["limited", ...times(30, "nothing")]);
  });

  it("count alike whether there is such a code or not", async () => {
    const [stranger, owner] = [newNetwork(), newNetwork()];
    const user = await makeUser();
    const [pending, denied] = [await ask(owner), await ask(owner)];
    await denyRequest({ id: user.id, network: owner }, denied.id, at(0));
    const hits = [pending.code, denied.code, ...unknown(28)];
    expect(await poll(stranger, [...hits, pending.code, ...unknown(1)])).toEqual([...times(31, "nothing"), "limited"]);
    // A hit gets the same refusal as a miss once there were too many.
    const another = await ask(owner);
    expect(await poll(stranger, [another.code, ...unknown(1)])).toEqual(["limited", "limited"]);
    expect(await db.auditEvent.count({ where: { subjectId: another.id, action: "link.look" } })).toBe(0);
  });

  it("are hidden from a network that guessed too much even when they could be collected", async () => {
    const stranger = newNetwork();
    const { code, network, user } = await approved();
    await poll(stranger, unknown(31));
    expect(await poll(stranger, [code])).toEqual(["limited"]);
    expect(await collect(code, network, at(2))).toEqual({ token: user.token });
  });

  it("leave no counter each where they are refused", async () => {
    const network = newNetwork();
    await poll(network, unknown(30));
    // The first few are remembered, to tell a program that asks again from one that guesses on.
    await poll(network, unknown(20));
    const before = await db.rateLimit.count();
    expect(await poll(network, unknown(20))).toEqual(times(20, "limited"));
    expect(await db.rateLimit.count()).toBe(before);
  });

  it("gain nothing from concurrent requests", async () => {
    const network = newNetwork();
    const answers = await Promise.allSettled(unknown(60).map((code) => collect(code, network, at(1))));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
  });

  it("leave the same trace, hit or miss: two statements, one event", async () => {
    const [stranger, owner] = [newNetwork(), newNetwork()];
    const { code, id } = await ask(owner);
    await poll(stranger, [code, ...unknown(1)]);
    const events = await db.auditEvent.findMany({
      where: { subjectId: { in: [stranger.id, id] } },
    });
    expect(events.map(({ action, detail }) => [action, detail]).sort()).toEqual([
      ["link.look", JSON.stringify({ network: stranger.id, program: "curl" })],
      ["link.refuse", JSON.stringify({ network: stranger.id, program: "curl" })],
    ]);
  });
});

describe("one's own code", () => {
  it("may be asked for 20 times a second while it is pending, and collected while its network is limited", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const { code, id } = await ask(network);
    await atOneMoment(async () => {
      await poll(network, [code]);
      expect(await poll(network, unknown(31))).toEqual([...times(30, "nothing"), "limited"]);
      expect(await poll(network, times(99, code))).toEqual(times(99, "nothing"));
      expect(await poll(network, [code])).toEqual(["limited"]);
    });
    await approveRequest({ id: user.id, network }, id, at(1));
    expect(await poll(network, times(10, code))).toEqual(times(10, "token"));
  });

  // Where the database counts, tests/contract/link-networks.test.ts waits for the same over HTTP.
  if (isHeavy || env.REDIS_URL)
    it("recovers when the window ends", async () => {
      const network = newNetwork();
      const { code } = await ask(network);
      expect((await poll(network, times(101, code))).at(-1)).toBe("limited");
      await expect.poll(() => poll(network, [code]), { interval: 500 }).toEqual(["nothing"]);
    });
});

describe("new codes", () => {
  it("are at most 300 in 30 seconds for a network, while another one continues", async () => {
    const network = newNetwork();
    await atOneMoment(async () => {
      for (let batch = 0; batch < 10; batch++) await Promise.all(times(30, network).map((from) => ask(from)));
      await expect(ask(network)).rejects.toEqual(limited);
      await expect(ask(network)).rejects.toEqual(limited);
      expect(await ask(newNetwork())).toMatchObject({ expiresIn: 600 });
    });
    expect(await db.auditEvent.count({ where: { subjectId: network.id, action: "link.refuse" } })).toBe(1);
  });
});

describe("networks without an address of their own", () => {
  it("are not limited when they are this machine, or nobody vouches for one", async () => {
    for (const network of [
      { id: "loopback", kind: "local" },
      { id: "unknown", kind: "unknown" },
    ] as const)
      expect(await poll(network, unknown(60))).toEqual(times(60, "nothing"));
  });

  it("share one bucket behind a proxy that nobody configured", async () => {
    const shared = networkBehind("10.9.8.7");
    expect(await poll(shared, unknown(31))).toEqual([...times(30, "nothing"), "limited"]);
    // Nobody there is known to be the one who asked, so a live code answers like one that does not exist.
    const { code } = await approved(shared);
    expect(await poll(shared, [code])).toEqual(["limited"]);
    const other: Network = { id: "another proxy", kind: "shared" };
    const { code: collectable, user, id } = await approved(other);
    expect(await collect(collectable, other, at(1))).toBeNull();
    await allowProgram(user.id, id, { network: other.id, webPage: "" }, at(1));
    expect(await collect(collectable, other, at(1))).toEqual({ token: user.token });
  });
});

describe("entries on the page", () => {
  it("are ten wrong ones in ten minutes for an account; right ones neither count nor reset", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const { code, id } = await ask();
    for (const wrong of unknown(9))
      await expect(enter(user, wrong, at(1))).rejects.toMatchObject({ status: 404, code: "code_not_found" });
    for (let count = 0; count < 12; count++) expect(await enter(user, code, at(1))).toBe(id);
    await expect(enter(user, neverGiven(), at(1))).rejects.toMatchObject({ code: "code_not_found" });
    await expect(enter(user, neverGiven(), at(1))).rejects.toEqual(limited);
    await expect(enter(user, neverGiven(), at(1))).rejects.toThrow(/Try again in \d+ (minutes|seconds)\./);
    await expect(enter(user, code, at(1))).rejects.toEqual(limited);
    expect(await enter(other, code, at(1))).toBe(id);
    expect(await db.auditEvent.count({ where: { subjectId: user.id, action: "link.refuse" } })).toBe(1);
  });

  it("count with the network's, so that 20 new accounts have no more of them than two", async () => {
    const network = newNetwork();
    const users = await Promise.all(times(20, 0).map(() => makeUser()));
    const reasons: string[] = [];
    for (const user of users)
      for (const wrong of unknown(3)) reasons.push(await enter(user, wrong, at(1), network).catch(({ code }) => code));
    expect(reasons.filter((reason) => reason === "code_not_found")).toHaveLength(20);
    expect(reasons.slice(20)).toEqual(times(40, "rate_limited"));
    // Who mistypes on the page leaves room for programs, and they for the page.
    expect(await poll(network, unknown(12))).toEqual([...times(10, "nothing"), "limited", "limited"]);
  });

  it("gain nothing from being sent concurrently", async () => {
    const user = await makeUser();
    const { code } = await ask();
    const entries = [...unknown(30), code].map((letters) => enter(user, letters, at(1)));
    const reasons = (await Promise.allSettled(entries)).map((entry) =>
      entry.status === "rejected" ? entry.reason.code : "found",
    );
    expect(reasons.filter((reason) => reason === "code_not_found")).toHaveLength(10);
    expect(reasons.at(-1)).toBe("rate_limited");
  });
});

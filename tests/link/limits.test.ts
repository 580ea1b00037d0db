import { describe, expect, it } from "vitest";
import { approveRequest } from "@/lib/link/approve";
import { db } from "@/lib/platform/db/client";
import { limiter } from "@/lib/platform/limits/limits";
import { type Network, networkBehind } from "@/lib/platform/network/network";
import { at as atTime } from "@/tests/keys/keys";
import { newNetwork } from "@/tests/support/request";
import { makeUser, makeUsers } from "@/tests/support/user";
import { allow, approved, at, collect, enter, neverIssued, newRequest, requested } from "./flow";

const limited = expect.objectContaining({
  status: 429,
  code: "rate_limited",
  headers: { "Retry-After": expect.stringMatching(/^[1-9]\d*$/) },
});

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

const unknown = (count: number) => Array.from({ length: count }, neverIssued);
const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

describe("what a network leaves in a day", () => {
  const DAY = 86_400;

  it("is 12,000 codes, so that no network uses up the letters of 30 days", async () => {
    const network = newNetwork();
    await limiter("link codes of a day", 12_000, DAY).consume(network.id, 11_999);
    await newRequest(network);
    await expect(newRequest(network)).rejects.toEqual(limited);
  });

  it("is 200 events about it in the audit trail, of hits and misses alike; its questions still count", async () => {
    const [stranger, { code, id }] = [newNetwork(), await newRequest()];
    await limiter("link events of a day", 200, DAY).consume(stranger.id, 199);
    expect(await poll(stranger, [...unknown(1), code, ...unknown(29)])).toEqual([...times(30, "nothing"), "limited"]);
    const about = { OR: [{ network: stranger.id }, { subjectId: id }] };
    expect(await db.auditEvent.findMany({ where: about })).toMatchObject([{ action: "link.refuse" }]);
    expect(await db.linkQuestion.count({ where: { network: stranger.id } })).toBe(30);
  });
});

describe("codes of others", () => {
  it("count once each, however often, in whatever case and with whatever secret they are asked for", async () => {
    const network = newNetwork();
    const codes = unknown(29);
    expect(await poll(network, [...codes, ...codes])).toEqual(times(58, "nothing"));
    for (let n = 0; n < 40; n++)
      expect(await collect(n % 2 ? "QZQZQX" : "qzQzqx", network, at(1), { secret: n % 3 ? `${n}` : null })).toBeNull();
    expect(await poll(network, [...unknown(1), ...codes])).toEqual(["limited", ...times(29, "nothing")]);
  });

  it("are 30 of 200 that are asked for at once, in any case, with wrong secrets, or by web pages", async () => {
    const network = newNetwork();
    const answers = await Promise.allSettled(
      unknown(200).map((code, n) =>
        collect(n % 2 ? code.toLowerCase() : code, network, at(1), {
          program: `guesser/${n}`,
          secret: n % 3 ? "wrong" : null,
          webPage: n % 5 ? null : `https://p${n}.example`,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
  });

  it("come on top of the network's own: 60 of those, first asked for at once, leave 30", async () => {
    const network = newNetwork();
    const own = await Promise.all(times(60, network).map((from) => newRequest(from)));
    const letters = own.flatMap(({ code }) => [code, code.toLowerCase(), code]);
    expect(await Promise.all(letters.map((code) => collect(code, network, at(1))))).toEqual(times(180, null));
    expect(await poll(network, unknown(31))).toEqual([...times(30, "nothing"), "limited"]);
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
});

describe("one's own code", () => {
  it("may be asked for 20 times a second while it is pending, and collected while its network is limited", async () => {
    const { network, user, actor, code, id } = await requested();
    await atTime(Date.now(), async () => {
      await poll(network, [code]);
      expect(await poll(network, unknown(31))).toEqual([...times(30, "nothing"), "limited"]);
      expect(await poll(network, times(99, code))).toEqual(times(99, "nothing"));
      expect(await poll(network, [code])).toEqual(["limited"]);
    });
    await approveRequest(actor, id, { now: at(1) });
    expect(await collect(code, network, at(1))).toEqual({ token: user.token });
    expect(await poll(network, times(10, code))).toEqual(times(10, "token"));
  });
});

it("new codes are at most 300 in 30 seconds for a network, while another one continues", async () => {
  const network = newNetwork();
  await atTime(Date.now(), async () => {
    await limiter("link codes burst", 300, 30).consume(network.id, 290);
    const answers = await Promise.allSettled(times(20, network).map((from) => newRequest(from)));
    const refused = answers.filter((answer) => answer.status === "rejected");
    expect(refused.map(({ reason }) => reason)).toEqual(times(10, limited));
    expect(await newRequest(newNetwork())).toMatchObject({ expiresIn: 600 });
  });
  expect(await db.auditEvent.count({ where: { subjectId: network.id, action: "link.refuse" } })).toBe(1);
});

describe("networks without an address of their own", () => {
  it("are not limited when they are this machine, or nobody vouches for one", async () => {
    const [here, nobody] = [{ id: "loopback", kind: "local" } as const, { id: "unknown", kind: "unknown" } as const];
    for (const network of [here, nobody]) expect(await poll(network, unknown(60))).toEqual(times(60, "nothing"));
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
    await allow(user, id, { network: other, now: at(1) });
    expect(await collect(collectable, other, at(1))).toEqual({ token: user.token });
  });
});

describe("entries on the page", () => {
  it("are ten wrong ones in ten minutes for an account; right ones neither count nor reset", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const { code, id } = await newRequest();
    for (const wrong of unknown(9))
      await expect(enter(user, wrong, at(1))).rejects.toMatchObject({ status: 404, code: "code_not_found" });
    for (let count = 0; count < 12; count++) expect(await enter(user, code, at(1))).toBe(id);
    await expect(enter(user, neverIssued(), at(1))).rejects.toMatchObject({ code: "code_not_found" });
    await expect(enter(user, neverIssued(), at(1))).rejects.toEqual(limited);
    await expect(enter(user, neverIssued(), at(1))).rejects.toThrow(/Try again in \d+ (minutes|seconds)\./);
    await expect(enter(user, code, at(1))).rejects.toEqual(limited);
    expect(await enter(other, code, at(1))).toBe(id);
    expect(await db.auditEvent.count({ where: { subjectId: user.id, action: "link.refuse" } })).toBe(1);
  });

  it("count with the network's, so that 20 new accounts have no more of them than two", async () => {
    const network = newNetwork();
    const reasons: string[] = [];
    for (const user of await makeUsers(20))
      for (const wrong of unknown(3)) reasons.push(await enter(user, wrong, at(1), network).catch(({ code }) => code));
    expect(reasons.filter((reason) => reason === "code_not_found")).toHaveLength(20);
    expect(reasons.slice(20)).toEqual(times(40, "rate_limited"));
    // Who mistypes on the page leaves room for programs, and they for the page.
    expect(await poll(network, unknown(12))).toEqual([...times(10, "nothing"), "limited", "limited"]);
  });

  it("gain nothing from being sent concurrently", async () => {
    const user = await makeUser();
    const { code } = await newRequest();
    const entries = [...unknown(30), code].map((letters) => enter(user, letters, at(1)));
    const reasons = (await Promise.allSettled(entries)).map((entry) =>
      entry.status === "rejected" ? entry.reason.code : "found",
    );
    expect(reasons.filter((reason) => reason === "code_not_found")).toHaveLength(10);
    expect(reasons.at(-1)).toBe("rate_limited");
  });
});

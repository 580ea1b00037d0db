import { describe, expect, it } from "vitest";
import { rotateToken } from "@/lib/auth/rotate-token";
import { db } from "@/lib/db/client";
import { allowProgram } from "@/lib/link/allow";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { newPollSecret } from "@/lib/link/poll-secret";
import { askForStatus } from "@/lib/link/status";
import { viewRequest } from "@/lib/link/view";
import { type Network, networkBehind } from "@/lib/network";
import { unlessLimited } from "@/scripts/link-odds/unless-limited";
import { newNetwork } from "@/tests/support/network";
import { statementsOf } from "@/tests/support/statements";
import { makeUser } from "@/tests/support/user";
import { approved, ask, at, type Beside, collect, neverGiven, PROGRAM } from "./flow";
import { atOneMoment } from "./one-moment";

/** What a program learns that asks what became of its code. */
function status(code: string, network: Network, now = at(1), { secret = null, ...beside }: Beside = {}) {
  return askForStatus(code, { network, program: PROGRAM, webPage: null, ...beside }, secret, now);
}

const events = async (id: string) =>
  (await db.auditEvent.findMany({ where: { subjectId: id }, orderBy: { id: "asc" } })).map(({ action }) => action);

describe("the program that a code was issued to learns", () => {
  it("pending until it expires", async () => {
    const network = newNetwork();
    const { code, secret } = await ask(network);
    expect(await status(code.toLowerCase(), network, at(599))).toBe("pending");
    expect(await status(code, network, at(600))).toBe("expired");
    expect(await status(code, newNetwork(), at(600), { secret })).toBe("expired");
  });

  it("approved until it is collected, and then collected for good", async () => {
    const { code, network } = await approved();
    expect(await status(code, network)).toBe("approved");
    await collect(code, network, at(2));
    for (const seconds of [3, 3_000]) expect(await status(code, network, at(seconds))).toBe("collected");
  });

  it("denied for good", async () => {
    const [network, user] = [newNetwork(), await makeUser()];
    const { code, id } = await ask(network);
    await denyRequest({ id: user.id, network }, id, at(1));
    for (const seconds of [2, 3_000]) expect(await status(code, network, at(seconds))).toBe("denied");
  });

  it("expired if it came too late to collect", async () => {
    const { code, network } = await approved();
    expect(await status(code, network, at(299))).toBe("approved");
    expect(await status(code, network, at(300))).toBe("expired");
  });

  it.each([
    ["disabled", (id: string) => db.user.update({ where: { id }, data: { disabledAt: at(1) } })],
    ["deleted", (id: string) => db.user.delete({ where: { id } })],
    ["given a new token", (id: string) => rotateToken(id, id, at(1))],
  ])("expired if the account that approved was %s before it collected", async (_, change) => {
    const { code, network, user } = await approved();
    await change(user.id);
    expect(await status(code, network, at(2))).toBe("expired");
  });

  it("the same from any network and under any name, by its secret", async () => {
    const { code, secret } = await approved();
    expect(await status(code, newNetwork(), at(1), { secret, program: "another/1.0" })).toBe("approved");
    const page = { webPage: "https://game.example" };
    expect(await status(code, newNetwork(), at(1), { secret, ...page })).toBe("approved");
  });
});

describe("nothing is told", () => {
  it("of a code that is malformed, unknown, or another network's, whatever its state", async () => {
    const [home, stranger, user] = [newNetwork(), newNetwork(), await makeUser()];
    const [pending, denied, ready] = [await ask(home), await ask(home), await approved(home)];
    await denyRequest({ id: user.id, network: home }, denied.id, at(1));
    for (const code of ["", "abcdß", "KMTRW", neverGiven(), pending.code, denied.code, ready.code])
      expect(await status(code, stranger)).toBeNull();
  });

  it("with a wrong secret, or to a web page, in the code's own network too", async () => {
    const { code, network } = await approved();
    for (const secret of [newPollSecret(), "", "x".repeat(5_000)])
      expect(await status(code, network, at(1), { secret })).toBeNull();
    expect(await status(code, network, at(1), { webPage: "https://game.example" })).toBeNull();
    expect(await status(code, network)).toBe("approved");
  });

  it("behind a proxy that nobody configured, where everybody has one network", async () => {
    const shared = networkBehind(newNetwork().id);
    const { code, secret } = await approved(shared);
    expect(await status(code, shared)).toBeNull();
    expect(await status(code, shared, at(1), { secret })).toBe("approved");
  });

  it("to the network that the person allowed: that one collects", async () => {
    const { code, user, id } = await approved();
    const moved = newNetwork();
    await status(code, moved);
    await allowProgram(user.id, id, { network: moved.id, webPage: "" }, at(2));
    expect(await status(code, moved, at(3))).toBeNull();
    expect(await collect(code, moved, at(4))).toEqual({ token: user.token });
  });
});

describe("the secret", () => {
  it("binds its code here as it does at /link/user: nobody else collects or learns anything from then on", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const { code, secret, id } = await ask(network);
    expect(await status(code, newNetwork(), at(1), { secret })).toBe("pending");
    await approveRequest({ id: user.id, network }, id, at(2));
    expect(await status(code, network, at(3))).toBeNull();
    expect(await collect(code, network, at(3))).toBeNull();
    expect(await collect(code, newNetwork(), at(4), { secret })).toEqual({ token: user.token });
    expect(await status(code, network, at(5))).toBeNull();
    expect(await status(code, network, at(5), { secret })).toBe("collected");
  });

  it("is never limited, and binds with the first question only", async () => {
    const network = newNetwork();
    const { code, secret, id } = await ask(network);
    for (let count = 0; count < 60; count++) await unlessLimited(status(neverGiven(), network));
    for (let count = 0; count < 150; count++) expect(await status(code, network, at(2), { secret })).toBe("pending");
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ boundAt: at(2) });
  });
});

describe("a question counts like one for the token", () => {
  const limited = expect.objectContaining({ status: 429, code: "rate_limited" });

  it("30 different codes of others in ten minutes, at both routes together", async () => {
    const network = newNetwork();
    for (let count = 0; count < 15; count++) {
      expect(await status(neverGiven(), network)).toBeNull();
      expect(await collect(neverGiven(), network, at(1))).toBeNull();
    }
    await expect(status(neverGiven(), network)).rejects.toEqual(limited);
    await expect(collect(neverGiven(), network, at(1))).rejects.toEqual(limited);
  });

  it("the same code is one question, whichever route is asked first", async () => {
    const network = newNetwork();
    const codes = Array.from({ length: 30 }, neverGiven);
    for (const code of codes) expect(await status(code, network)).toBeNull();
    for (const code of codes) expect(await collect(code, network, at(1))).toBeNull();
  });

  it("one's own pending code 20 times a second, at both routes together", async () => {
    const network = newNetwork();
    const { code } = await ask(network);
    await atOneMoment(async () => {
      for (let count = 0; count < 50; count++) {
        expect(await status(code, network)).toBe("pending");
        expect(await collect(code, network, at(1))).toBeNull();
      }
      await expect(status(code, network)).rejects.toEqual(limited);
    });
  });

  it("a stranger's is shown to the person, once, and is recorded for a code that does not exist, too", async () => {
    const [stranger, viewer] = [newNetwork(), newNetwork()];
    const { code, id, user } = await approved(viewer);
    for (let count = 0; count < 3; count++) await status(code, stranger);
    await collect(code, stranger, at(1));
    await status(neverGiven(), stranger);
    expect((await viewRequest({ id: user.id, network: viewer }, id, at(2)))?.onlookers).toMatchObject({
      networks: 1,
      wanting: [{ network: stranger.id }],
    });
    expect(await events(id)).toEqual(["link.approve", "link.look"]);
    expect(await events(stranger.id)).toEqual(["link.refuse"]);
  });

  it("costs a stranger the same statements, hit or miss, first or again", async () => {
    const { code } = await approved();
    const [hit, miss] = [newNetwork(), newNetwork()];
    const unknown = neverGiven();
    for (const _ of ["first", "again"]) {
      const [hits, misses] = [
        await statementsOf(() => status(code, hit)),
        await statementsOf(() => status(unknown, miss)),
      ];
      expect(hits).toEqual(misses);
    }
  });

  it("writes nothing for one's own code", async () => {
    const { code, network, id, secret } = await approved();
    const before = await db.linkCode.findUniqueOrThrow({ where: { id } });
    for (let count = 0; count < 3; count++) expect(await status(code, network)).toBe("approved");
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toEqual(before);
    expect(await events(id)).toEqual(["link.approve"]);
    await status(code, network, at(2), { secret });
    const sent = await statementsOf(() => status(code, network, at(3), { secret }));
    expect(sent.filter((text) => /INSERT|UPDATE|DELETE/i.test(text))).toEqual([]);
  });
});

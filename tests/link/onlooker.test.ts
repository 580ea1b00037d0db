import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { allowProgram } from "@/lib/link/allow";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { viewRequest } from "@/lib/link/view";
import type { Network } from "@/lib/network";
import { unlessLimited } from "@/scripts/link-odds/unless-limited";
import { approved, ask, at, collect, enter } from "@/tests/link/flow";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";

// Somebody elsewhere reads the letters off the screen, enters them in an account of his own and watches.

describe("watching the page in an account of one's own", () => {
  it(
    "shows the same before the owner decides and after, whatever was decided, until the time of the code " + "is over",
    async () => {
      const [home, elsewhere] = [newNetwork(), newNetwork()];
      const [owner, onlooker] = [await makeUser(), await makeUser()];
      const watcher = { id: onlooker.id, network: elsewhere };
      for (const decide of [approveRequest, denyRequest, null]) {
        const { code, id } = await ask(home);
        await enter(onlooker, code, at(1), elsewhere);
        const before = await viewRequest(watcher, id, at(20));
        if (decide) await decide({ id: owner.id, network: home }, id, at(10));
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
    },
  );

  it("ends the same for a code that was approved, denied, has expired or never was", async () => {
    const home = newNetwork();
    const [owner, onlooker] = [await makeUser(), await makeUser()];
    const [linked, denied, expired] = [await ask(home), await ask(home), await ask(home)];
    await approveRequest({ id: owner.id, network: home }, linked.id, at(1));
    await denyRequest({ id: owner.id, network: home }, denied.id, at(1));
    const said = async (work: Promise<unknown>) =>
      work.then(String, ({ status, code, message }) => JSON.stringify([status, code, message]));
    const entries = await Promise.all(
      [linked.code, denied.code, expired.code, "QXQXQX"].map((code) => said(enter(onlooker, code, at(601)))),
    );
    expect(new Set(entries).size).toBe(1);
    const decisions = await Promise.all(
      [linked, denied, expired].flatMap(({ id }) =>
        [approveRequest, denyRequest].map((decide) =>
          said(decide({ id: onlooker.id, network: home }, id, at(id === expired.id ? 601 : 2))),
        ),
      ),
    );
    expect(new Set(decisions).size).toBe(1);
  });

  it("gives no address away but to the approver", async () => {
    const [home, elsewhere] = [newNetwork(), newNetwork()];
    const { code, id } = await ask(home);
    const onlooker = await makeUser();
    await enter(onlooker, code, at(1), elsewhere);
    expect(JSON.stringify(await viewRequest({ id: onlooker.id, network: elsewhere }, id, at(2)))).not.toContain(
      home.id,
    );
  });

  it("is on the approver's page and in the trail, by account and network", async () => {
    const { code, id, user, network } = await approved();
    const [one, two] = [await makeUser(), await makeUser()];
    const places = [newNetwork(), newNetwork()] as [Network, Network];
    await enter(one, code, at(1), places[0]);
    await enter(two, code, at(2), places[1]);
    await enter(two, code, at(3), places[1]);
    const seen = await viewRequest({ id: user.id, network }, id, at(4));
    expect(seen?.onlookers).toMatchObject({
      people: 2,
      accounts: [
        { username: two.username, network: places[1].id },
        { username: one.username, network: places[0].id },
      ],
    });
    const trail = await db.auditEvent.findMany({
      where: { subjectId: id, action: "link.enter" },
      orderBy: { id: "asc" },
    });
    expect(trail.map(({ actorId }) => actorId)).toEqual([one.id, two.id]);
  });

  it("locks the owner out of nothing: who enters later can approve as long as nobody has decided", async () => {
    const home = newNetwork();
    const { code, id } = await ask(home);
    const [onlooker, owner] = [await makeUser(), await makeUser()];
    await enter(onlooker, code, at(1));
    await enter(owner, code, at(2), home);
    await approveRequest({ id: owner.id, network: home }, id, at(3));
    expect(await collect(code, home, at(4))).toEqual({ token: owner.token });
  });
});

describe("asking first", () => {
  it("gives an onlooker nothing, however often and fast he asks, in 50 rounds; the program loses nothing", async () => {
    const owner = await makeUser();
    for (let round = 0; round < 50; round++) {
      const [home, elsewhere] = [newNetwork(), newNetwork()];
      const { code, id } = await ask(home);
      const asking = () => Promise.all(Array.from({ length: 5 }, () => collect(code, elsewhere, at(2))));
      const early = asking();
      await approveRequest({ id: owner.id, network: home }, id, at(1));
      const late = await asking();
      expect([...(await early), ...late]).toEqual(Array(10).fill(null));
      expect(await collect(code, home, at(3))).toEqual({ token: owner.token });
      expect(await collect(code, elsewhere, at(3))).toBeNull();
    }
  });

  it(
    "from very many networks does not hide the program that has changed its own, which looks like the " +
      "one that asked",
    async () => {
      const { code, id, user, network } = await approved();
      const moved = newNetwork();
      expect(await collect(code, moved, at(1))).toBeNull();
      const block = newNetwork().id.split(".").map(Number);
      const walked = Array.from(
        { length: 60 },
        (_, n): Network => ({ id: `2001:db8:${block[0]}:${n.toString(16)}::/64`, kind: "remote" }),
      );
      for (const from of walked) await unlessLimited(collect(code, from, at(2)));
      for (let n = 0; n < 10; n++) await collect(code, newNetwork(), at(3), { program: "curl/9.9" });
      const wanting = (await viewRequest({ id: user.id, network }, id, at(4)))?.onlookers?.wanting ?? [];
      expect(wanting.length).toBeLessThanOrEqual(6);
      expect(wanting.map(({ network }) => network)).toContain(moved.id);
      expect(wanting.filter(({ network }) => network.startsWith("2001:")).length).toBeLessThanOrEqual(2);
      await allowProgram(user.id, id, { network: moved.id, webPage: "" }, at(5));
      expect(await collect(code, moved, at(6))).toEqual({ token: user.token });
    },
  );
});

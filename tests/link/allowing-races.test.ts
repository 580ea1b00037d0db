import { expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { allowProgram, disallowProgram } from "@/lib/link/allow";
import { approved, at, collect } from "@/tests/link/flow";
import { newNetwork } from "@/tests/support/network";
import { sized } from "@/tests/support/size";

const ROUNDS = sized(8, 50);
const TIMEOUT = 120_000;
const settle = (work: Promise<unknown>) => work.then(Boolean, () => false);
const collects = (id: string) => db.auditEvent.count({ where: { subjectId: id, action: "link.collect" } });

it("of two networks that are allowed at once, exactly one collects: the one that was allowed last", {
  timeout: TIMEOUT,
}, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { code, id, user } = await approved();
    const [one, other] = [newNetwork(), newNetwork()];
    await Promise.all(
      [one, other].map(({ id: network }) => allowProgram(user.id, id, { network, webPage: "" }, at(1))),
    );
    const { allowedNetwork } = await db.linkCode.findUniqueOrThrow({ where: { id } });
    const got = await Promise.all([one, other].map((network) => collect(code, network, at(2))));
    expect(got).toEqual(
      [one, other].map(({ id: network }) => (network === allowedNetwork ? { token: user.token } : null)),
    );
    expect(await collects(id)).toBe(1);
  }
});

it("of allowing and collecting at once, nobody collects twice, and an answer after the collection is refused", {
  timeout: TIMEOUT,
}, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { code, id, user, network } = await approved();
    const moved = newNetwork();
    const allowing = settle(allowProgram(user.id, id, { network: moved.id, webPage: "" }, at(1)).then(() => true));
    const got = await Promise.all([collect(code, network, at(1)), collect(code, moved, at(1))]);
    await allowing;
    expect(got.filter((answer) => answer !== null)).toHaveLength(1);
    expect(await collects(id)).toBe(1);
    expect(await settle(allowProgram(user.id, id, { network: moved.id, webPage: "" }, at(2)).then(() => true))).toBe(
      false,
    );
  }
});

it("of allowing and turning away at once, the last one holds as a whole", { timeout: TIMEOUT }, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { code, id, user } = await approved();
    const moved = newNetwork();
    await collect(code, moved, at(1));
    const elsewhere = { network: moved.id, webPage: "" };
    const answers = [allowProgram(user.id, id, elsewhere, at(2)), disallowProgram(user.id, id, elsewhere, at(2))];
    await Promise.all(round % 2 === 0 ? answers : answers.reverse());
    const { allowedNetwork } = await db.linkCode.findUniqueOrThrow({ where: { id } });
    const { refusedAt } = await db.linkQuestion.findFirstOrThrow({ where: { network: moved.id } });
    expect(allowedNetwork === null).toBe(refusedAt !== null);
    expect(await collect(code, moved, at(3))).toEqual(allowedNetwork === null ? null : { token: user.token });
  }
});

it("of the secret and the network at once, one collects, and only the secret may ask again where it won", {
  timeout: TIMEOUT,
}, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { code, id, secret, user, network } = await approved();
    const elsewhere = newNetwork();
    const [bySecret, byNetwork] = await Promise.all([
      collect(code, elsewhere, at(1), { secret }),
      collect(code, network, at(1)),
    ]);
    expect([bySecret, byNetwork].filter((answer) => answer !== null)).toEqual([{ token: user.token }]);
    expect(await collects(id)).toBe(1);
    const { boundAt, collectedNetwork } = await db.linkCode.findUniqueOrThrow({ where: { id } });
    expect(collectedNetwork).toBe(bySecret ? elsewhere.id : network.id);
    if (bySecret) expect(boundAt).not.toBeNull();
    expect((await collect(code, network, at(2))) === null).toBe(bySecret !== null);
  }
});

it("of two collects of one program at once, both get the same answer, one as a repeat that is written down", {
  timeout: TIMEOUT,
}, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { code, id, user, network } = await approved();
    const got = await Promise.all([collect(code, network, at(1)), collect(code, network, at(1))]);
    expect(got).toEqual([{ token: user.token }, { token: user.token }]);
    const events = await db.auditEvent.findMany({
      where: { subjectId: id, action: { in: ["link.collect", "link.repeat"] } },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ action }) => action)).toEqual(["link.collect", "link.repeat"]);
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ repeats: 1 });
  }
});

import { expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { newNetwork } from "@/tests/support/network";
import { sized } from "@/tests/support/size";
import { makeUsers, type TestUser } from "@/tests/support/user";
import { approved, ask, at, collect } from "./flow";

const ROUNDS = sized(15, 50);

async function twoUsers(): Promise<[TestUser, TestUser]> {
  const [one, other] = await makeUsers(2);
  if (!one || !other) throw new Error("makeUsers(2) made fewer");
  return [one, other];
}

it("of two users who approve one code, one wins, the other is told, and the token is the winner's", async () => {
  const [one, other] = await twoUsers();
  for (let round = 0; round < ROUNDS; round++) {
    const network = newNetwork();
    const { code, id } = await ask(network);
    const [first, second] = await Promise.allSettled(
      [one, other].map((user) => approveRequest({ id: user.id, network }, id, at(1))),
    );
    expect([first?.status, second?.status].sort()).toEqual(["fulfilled", "rejected"]);
    expect(first?.status === "rejected" ? first.reason : second?.status === "rejected" && second.reason).toMatchObject({
      code: "code_unusable",
    });
    const winner = first?.status === "fulfilled" ? one : other;
    expect(await collect(code, network, at(2))).toEqual({ token: winner.token });
    expect(await db.auditEvent.count({ where: { subjectId: id, action: "link.approve" } })).toBe(1);
  }
});

it("of approving and denying at once, one wins and stays", async () => {
  const [one, other] = await twoUsers();
  for (let round = 0; round < ROUNDS; round++) {
    const network = newNetwork();
    const { code, id } = await ask(network);
    const decisions = [
      approveRequest({ id: one.id, network }, id, at(1)),
      denyRequest({ id: other.id, network }, id, at(1)),
    ];
    const [approval, denial] = await Promise.allSettled(round % 2 === 0 ? decisions : decisions.reverse()).then(
      (settled) => (round % 2 === 0 ? settled : settled.reverse()),
    );
    const collected = await collect(code, network, at(2));
    if (approval?.status === "fulfilled") {
      expect(denial).toMatchObject({ status: "rejected", reason: { code: "code_unusable" } });
      expect(collected).toEqual({ token: one.token });
    } else {
      expect([approval, denial]).toMatchObject([
        { status: "rejected", reason: { code: "code_unusable" } },
        { status: "fulfilled" },
      ]);
      expect(collected).toBeNull();
    }
    expect(await db.auditEvent.count({ where: { subjectId: id, action: { in: ["link.approve", "link.deny"] } } })).toBe(
      1,
    );
  }
});

it("of 20 collects at once, all that get the token come from one network", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { code, id, network, user } = await approved();
    const other = newNetwork();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const from = index % 4 === 0 ? other : network;
        return { from: from.id, answer: await collect(code, from, at(1)) };
      }),
    );
    const winners = answers.filter(({ answer }) => answer !== null);
    const { collectedNetwork } = await db.linkCode.findUniqueOrThrow({ where: { id } });
    expect(winners.length).toBeGreaterThan(0);
    for (const { from, answer } of winners) expect([from, answer]).toEqual([collectedNetwork, { token: user.token }]);
    expect(winners).toHaveLength(answers.filter(({ from }) => from === collectedNetwork).length);
    expect(await db.auditEvent.count({ where: { subjectId: id, action: "link.collect" } })).toBe(1);
  }
});

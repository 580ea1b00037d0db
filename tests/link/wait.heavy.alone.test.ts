import { describe, expect, it } from "vitest";
import { rotateToken } from "@/lib/auth/rotate-token";
import { db } from "@/lib/db/client";
import { allowProgram } from "@/lib/link/allow";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { drawLetters } from "@/lib/link/letters";
import { endWaits, WAITING_OF_NETWORK } from "@/lib/link/waiters";
import { newNetwork } from "@/tests/support/network";
import { statementsOf } from "@/tests/support/statements";
import { awaitStatus, awaitToken, expectWaiting, newCode, untilWaiting, waitAgain, wish } from "./waiting";

// Alone: it counts the requests that wait in its process, and stops them all.

const PAGE = "https://game.example";

describe("the answer comes when", () => {
  it("the code is approved, and not when another is", async () => {
    const [one, other, wait] = [await newCode(), await newCode(), wish()];
    const answer = awaitStatus(one.code, { ...one, wait, secret: null });
    const still = awaitStatus(other.code, { ...other, wait: wish(), secret: null });
    await untilWaiting(2);
    await approveRequest(one.decider, one.id);
    expect([await answer, wait.isHonoured]).toEqual(["approved", true]);
    await expectWaiting(still);
    await denyRequest(other.decider, other.id);
    expect(await still).toBe("denied");
  });

  it("the token can be collected, from any network with the secret", async () => {
    const { code, id, secret, decider, user } = await newCode();
    const wait = wish();
    const answer = awaitToken(code, { network: newNetwork(), wait, secret });
    await untilWaiting(1);
    await approveRequest(decider, id);
    expect([await answer, wait.isHonoured]).toEqual([{ token: user.token }, true]);
  });

  it("there will be no token, because the code was denied or collected", async () => {
    const [denied, taken] = [await newCode(), await newCode()];
    const wait = wish();
    const answer = awaitToken(denied.code, { network: denied.network, wait });
    await untilWaiting(1);
    await denyRequest(denied.decider, denied.id);
    expect([await answer, wait.isHonoured]).toEqual([null, true]);
    await approveRequest(taken.decider, taken.id);
    expect(await awaitToken(taken.code, { network: taken.network, wait: wish() })).toEqual({ token: taken.user.token });
    await db.linkCode.update({ where: { id: taken.id }, data: { collectedAt: new Date(0) } });
    expect(await awaitToken(taken.code, { network: taken.network, wait: wish() })).toBeNull();
  });

  it("the code expires, or was not collected in time", async () => {
    const [slow, late] = [await newCode(), await newCode(PAGE)];
    await approveRequest(late.decider, late.id);
    const soon = new Date(Date.now() + 1_200);
    await db.linkCode.update({ where: { id: slow.id }, data: { expiresAt: soon } });
    await db.linkCode.update({ where: { id: late.id }, data: { collectBy: soon } });
    const answers = [
      awaitStatus(slow.code, { network: slow.network, wait: wish() }),
      awaitToken(slow.code, { network: slow.network, wait: wish() }),
      awaitToken(late.code, { network: late.network, wait: wish(), secret: late.secret, webPage: PAGE }),
    ];
    expect(await Promise.all(answers)).toEqual(["expired", null, null]);
  });

  it("the person allows a stranger to collect", async () => {
    const { code, id, decider, user } = await newCode();
    const moved = newNetwork();
    const answer = awaitToken(code, { network: moved, wait: wish() });
    await untilWaiting(1);
    await approveRequest(decider, id);
    await expectWaiting(answer);
    await allowProgram(user.id, id, { network: moved.id, webPage: "" });
    expect(await answer).toEqual({ token: user.token });
  });

  it("another process changed the code, or the account that approved it", async () => {
    const [code, page] = [await newCode(), await newCode(PAGE)];
    const answer = awaitStatus(code.code, { network: code.network, wait: wish() });
    await untilWaiting(1);
    await db.linkCode.update({ where: { id: code.id }, data: { status: "denied" } });
    expect(await answer).toBe("denied");
    await approveRequest(page.decider, page.id);
    const rotated = awaitToken(page.code, { network: newNetwork(), wait: wish(), secret: page.secret, webPage: PAGE });
    await untilWaiting(1);
    await rotateToken(page.user.id);
    expect(await rotated).toBeNull();
  });

  it("it is there: at once, with the statements of any other question", async () => {
    const { code, network, id, decider } = await newCode();
    await approveRequest(decider, id);
    const [first, wait] = [wish(), wish()];
    await awaitStatus(code, { network, wait: first });
    const usual = await statementsOf(() => awaitStatus(code, { network, wait: { ...wish(), seconds: 1 } }));
    const sent = await statementsOf(() => awaitStatus(code, { network, wait }));
    expect(sent).toEqual(usual);
    expect([first.isHonoured, wait.isHonoured]).toEqual([true, true]);
  });
});

describe("a stranger waits to the end", () => {
  it("whatever happens to the code", async () => {
    const { code, network, id, decider, user } = await newCode();
    const waits = [wish(), wish(), wish()] as const;
    const answers = [
      awaitStatus(code, { network: newNetwork(), wait: waits[0] }),
      awaitToken(code, { network: newNetwork(), wait: waits[1] }),
      awaitStatus(code, { network, wait: waits[2], webPage: PAGE }),
    ];
    await untilWaiting(3);
    await approveRequest(decider, id);
    expect(await awaitToken(code, { network, wait: wish() })).toEqual({ token: user.token });
    for (const answer of answers) await expectWaiting(answer);
    for (const { disconnect } of waits) disconnect();
    expect(await Promise.all(answers)).toEqual([null, null, null]);
  });

  it("with the same statements and the same answer, hit or miss", async () => {
    const { code } = await newCode();
    const waits = [wish(1), wish(1)] as const;
    const asked = [];
    for (const [index, letters] of [code, drawLetters()].entries())
      asked.push(
        await statementsOf(async () => {
          expect(
            await awaitStatus(letters, { network: newNetwork(), wait: waits[index] as (typeof waits)[0] }),
          ).toBeNull();
        }),
      );
    // What the process asks about all codes that are waited for is no part of an answer. On SQLite it may share a
    // transaction with the answer's own question.
    const [hit, miss] = asked.map((sent) => sent.filter((text) => !/approverId|^(?:BEGIN|COMMIT)$/.test(text)));
    expect(hit).toEqual(miss);
    expect(waits.map(({ isHonoured }) => isHonoured)).toEqual([true, true]);
  });

  it("also one in the code's own network that waited when the secret was first used", async () => {
    const { code, network, id, decider, secret } = await newCode();
    const wait = wish();
    const stranger = awaitStatus(code, { network, wait });
    await untilWaiting(1);
    const own = awaitToken(code, { network, wait: wish(), secret });
    await untilWaiting(2);
    await approveRequest(decider, id);
    expect(await own).not.toBeNull();
    await expectWaiting(stranger);
    wait.disconnect();
    await stranger;
  });

  it("but nobody waits for a malformed code", async () => {
    const wait = wish();
    expect(await awaitStatus("abcdß", { network: newNetwork(), wait })).toBeNull();
    expect(wait.isHonoured).toBe(false);
  });
});

it("at the end of its time, a program learns that nothing has changed", async () => {
  const { code, network } = await newCode();
  const waits = [wish(1), wish(1)] as const;
  const answers = [awaitStatus(code, { network, wait: waits[0] }), awaitToken(code, { network, wait: waits[1] })];
  expect(await Promise.all(answers)).toEqual(["pending", null]);
  expect(waits.map(({ isHonoured }) => isHonoured)).toEqual([true, true]);
});

it("a program that has disconnected collects nothing", async () => {
  const { code, network, id, decider, user } = await newCode();
  const wait = wish();
  const answer = awaitToken(code, { network, wait });
  await untilWaiting(1);
  wait.disconnect();
  expect([await answer, wait.isHonoured]).toEqual([null, false]);
  await approveRequest(decider, id);
  expect(await awaitToken(code, { network, wait: wish() })).toEqual({ token: user.token });
});

it(`${WAITING_OF_NETWORK} requests of a network wait; one more is answered at once, and others wait`, async () => {
  const { code, network, secret } = await newCode();
  const waits = Array.from({ length: WAITING_OF_NETWORK + 1 }, () => wish());
  const [refused, later] = [wish(), wish(1)];
  const answers = waits.map((wait, index) =>
    awaitStatus(code, { network: index === 0 ? newNetwork() : network, wait, secret }),
  );
  await untilWaiting(WAITING_OF_NETWORK + 1);
  expect(await awaitStatus(code, { network, wait: refused, secret })).toBe("pending");
  for (const { disconnect } of waits) disconnect();
  await Promise.all(answers);
  await untilWaiting(0);
  await awaitStatus(code, { network, wait: later, secret });
  expect([refused.isHonoured, later.isHonoured]).toEqual([false, true]);
});

it("when the process stops, all are answered at once, and nobody waits any more", async () => {
  const { code, network, secret } = await newCode();
  const waits = [wish(), wish(), wish()] as const;
  const answers = [
    awaitStatus(code, { network, wait: waits[0], secret }),
    awaitStatus(drawLetters(), { network: newNetwork(), wait: waits[1] }),
  ];
  await untilWaiting(2);
  endWaits();
  expect(await Promise.all(answers)).toEqual(["pending", null]);
  expect(await awaitStatus(code, { network, wait: waits[2], secret })).toBe("pending");
  expect(waits.map(({ isHonoured }) => isHonoured)).toEqual([false, false, false]);
  waitAgain();
});

import { describe, expect, test } from "vitest";
import { sweepTokens } from "@/lib/accounts/identity/access-tokens/sweep";
import { hasRecentProof, recordProof } from "@/lib/accounts/session/proof";
import { openSession, sessionsOf, sessionUser } from "@/lib/accounts/session/sessions";
import { createInvitation, findInvitation } from "@/lib/accounts/ways-in/invitations";
import { findAddressToVerify } from "@/lib/accounts/ways-in/mail/addresses";
import { newLink } from "@/lib/accounts/ways-in/one-time-link";
import { newChallenge, verifyChallenge } from "@/lib/accounts/ways-in/passkeys/challenge";
import { createRecoveryLink, findRecoveryLink } from "@/lib/accounts/ways-in/recovery/links";
import { sweepFiles } from "@/lib/files/sweep";
import { addPart, beginUpload, unfinishedUploads } from "@/lib/files/upload";
import { findKey } from "@/lib/keys/access";
import { findClaim } from "@/lib/keys/claims/accept";
import { createClaimLinks } from "@/lib/keys/claims/create";
import { createKey } from "@/lib/keys/create";
import { approveRequest } from "@/lib/link/approve";
import { sweepLinks } from "@/lib/link/sweep";
import { viewRequest } from "@/lib/link/view";
import { db } from "@/lib/platform/db/client";
import { sweepDeletions } from "@/lib/user-data/delete";
import { allow, approved, at, collect, enter, requested, START, status } from "@/tests/link/flow";
import { newNetwork } from "@/tests/support/request";
import { codeOf } from "@/tests/support/statements";
import { makeUser } from "@/tests/support/user";

const HOUR = 3_600;
const BACK = at(-2 * HOUR);
/** Clocks of machines that serve together may differ by a minute. */
const SKEWED = at(-60);
const ORIGIN = "https://keys.example";
const secretOf = (link = "") => link.slice(link.indexOf("#") + 1);

describe("after a clock was set back", () => {
  test("a code that was asked for before is expired: nobody is shown two hours, or approves it", async () => {
    const { code, id, user, network, actor } = await requested();
    expect(await viewRequest(actor, id, BACK)).toMatchObject({ state: "closed" });
    await expect(enter(user, code, BACK)).rejects.toMatchObject({ code: "code_not_found" });
    await expect(approveRequest(actor, id, { now: BACK })).rejects.toMatchObject({ code: "code_unusable" });
    expect(await status(code, network, BACK)).toBe("expired");
    // Nor when that time comes for the second time.
    await sweepLinks(BACK);
    await expect(approveRequest(actor, id, { now: at(0) })).rejects.toMatchObject({ code: "code_unusable" });
  });

  test("a code that was approved before is collected and allowed no more", async () => {
    const { code, id, network, user, actor } = await approved();
    expect(await collect(code, network, BACK)).toBeNull();
    expect(await status(code, network, BACK)).toBe("expired");
    expect(await codeOf(allow(user, id, { network: newNetwork(), now: BACK }))).toBe("code_unusable");
    expect(await viewRequest(actor, id, BACK)).toMatchObject({ state: "uncollected" });
    await sweepLinks(BACK);
    expect(await collect(code, network, at(1))).toBeNull();
  });

  test("a token that was collected before is not given again", async () => {
    const { code, network, user } = await approved();
    expect(await collect(code, network, at(1))).toEqual({ token: user.token });
    expect(await collect(code, network, at(2))).toEqual({ token: user.token });
    expect(await collect(code, network, BACK)).toBeNull();
  });

  test("a minute between two machines changes nothing, and is not shown", async () => {
    const { code, id, user, network, actor } = await requested();
    expect(await viewRequest(actor, id, SKEWED)).toMatchObject({ state: "pending", secondsLeft: 600 });
    await approveRequest(actor, id, { now: START });
    expect(await viewRequest(actor, id, SKEWED)).toMatchObject({ state: "approved", secondsLeft: 300 });
    expect(await collect(code, network, SKEWED)).toEqual({ token: user.token });
  });

  test("sessions and proofs from before do not count", async () => {
    const user = await makeUser();
    const open = async (now: Date) => ({
      id: user.id,
      sessionId: String(await openSession(user, { userAgent: "", network: "n", now })),
    });
    const [before, now] = [await open(START), await open(at(-3 * HOUR))];
    expect([await sessionUser(before.sessionId, SKEWED), await sessionUser(before.sessionId, BACK)]).toEqual([
      expect.objectContaining({ id: user.id }),
      null,
    ]);
    expect((await sessionsOf(user.id, BACK)).map(({ id }) => id)).toEqual([now.sessionId]);
    expect([await hasRecentProof(before, SKEWED), await hasRecentProof(before, BACK)]).toEqual([true, false]);
    await recordProof(now, "password", START);
    expect([await hasRecentProof(now, SKEWED), await hasRecentProof(now, BACK)]).toEqual([true, false]);
    await recordProof(now, "password", BACK);
    expect(await hasRecentProof(now, at(-2 * HOUR + 599))).toBe(true);
    expect(await hasRecentProof(now, at(-2 * HOUR + 600))).toBe(false);
    expect(await db.auditEvent.count({ where: { subjectId: user.id, action: "user.confirm" } })).toBe(2);
  });

  test("links that work once do not work", async () => {
    const [user, network] = [await makeUser(), newNetwork()];
    const badLink = { code: "bad_link" };
    const recovery = await createRecoveryLink(user.username, { actorId: "operator", origin: ORIGIN, now: START });
    const invitation = await createInvitation(
      { username: null, role: "user" },
      { actorId: "operator", origin: ORIGIN, now: START },
    );
    const { link, hash, expiresAt } = newLink("/email", { now: START, origin: ORIGIN });
    await db.emailAddress.create({ data: { userId: user.id, pending: "a@example.org", hash, expiresAt } });
    for (const find of [
      (now: Date) => findRecoveryLink(secretOf(recovery.link), { network, now }),
      (now: Date) => findInvitation(secretOf(invitation.link), { network, now }),
      (now: Date) => findAddressToVerify(secretOf(link), { network, now }),
    ]) {
      await find(SKEWED);
      await expect(find(BACK)).rejects.toMatchObject(badLink);
    }
    const caller = { ...user, role: "user" } as const;
    const row = await findKey(caller, (await createKey(caller, { data: "x", price: "1" })).id);
    const wanted = { links: 1, most: 1, days: null, openDays: 1, note: "" };
    const [claim] = (await createClaimLinks(caller, row, { ...wanted, origin: ORIGIN })).links;
    await findClaim(null, secretOf(claim), { network });
    const back = new Date(Date.now() - 2 * HOUR * 1_000);
    await expect(findClaim(null, secretOf(claim), { network, now: back })).rejects.toMatchObject(badLink);
  });

  test("a passkey's challenge is over", () => {
    const ceremony = { purpose: "sign in", browser: "b", subject: "" } as const;
    const challenge = newChallenge(ceremony, START);
    const answer = Buffer.from(JSON.stringify({ challenge })).toString("base64url");
    expect(verifyChallenge(answer, ceremony, SKEWED)).toMatchObject({ text: challenge });
    expect(() => verifyChallenge(answer, ceremony, BACK)).toThrow(expect.objectContaining({ code: "passkey_expired" }));
  });

  test("what is removed when nothing happens for a while counts from now on", async () => {
    const user = await makeUser();
    const token = { userId: user.id, name: "t", nameKey: "t", access: "read", createdAt: START, startsAt: START };
    const { id } = await db.accessToken.create({ data: { ...token, id: user.id, hash: user.id, usedAt: START } });
    await sweepTokens(BACK);
    expect(await db.accessToken.findUnique({ where: { id } })).toMatchObject({ usedAt: BACK });

    const file = { name: "b.txt", totalBytes: 10, isText: true, onExisting: "keep", modified: 1 } as const;
    const { uploadId } = await beginUpload(user, undefined, file);
    await addPart(user, uploadId, { offset: 0, bytes: Buffer.from("01234") });
    await db.fileDraft.update({ where: { id: uploadId }, data: { refreshedAt: START } });
    await sweepFiles(BACK);
    expect(await db.fileDraft.findUnique({ where: { id: uploadId } })).toMatchObject({ refreshedAt: BACK });
    const [upload] = await unfinishedUploads(user, at(-1.9 * HOUR));
    expect(upload?.until).toBe(BACK.getTime() + 24 * HOUR * 1_000);

    const leaving = await makeUser({ deletingAt: START, disabledAt: START });
    await sweepDeletions(BACK);
    expect(await db.user.count({ where: { id: leaving.id } })).toBe(0);
  });
});

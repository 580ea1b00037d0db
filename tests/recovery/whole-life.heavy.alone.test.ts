import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { deleteAccount } from "@/lib/account/delete";
import { auditTrail } from "@/lib/audit";
import { authenticateWithPasskey } from "@/lib/auth/authenticate-with-passkey";
import { rotateSecrets } from "@/lib/auth/rotate-secrets";
import { openSession, sessionUser } from "@/lib/auth/sessions";
import { setDisabled } from "@/lib/auth/standing";
import { createUser, setPassword, signUp } from "@/lib/auth/users";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import { addPasskey } from "@/lib/passkeys/add";
import { type Ceremony, newChallenge } from "@/lib/passkeys/challenge";
import { verifyRegistration } from "@/lib/passkeys/register";
import { acceptInvitation, createInvitation } from "@/lib/recovery/invitations";
import { findProven, type RecoveryProof } from "@/lib/recovery/proof";
import { createRecoveryCodes } from "@/lib/recovery/recovery-codes";
import { createRecoveryLink } from "@/lib/recovery/recovery-links";
import { Authenticator } from "@/tests/support/authenticator";
import { newNetwork } from "@/tests/support/network";
import { newUsername } from "@/tests/support/user";
import { recoverByCode, recoverByLink } from "./recover-by";
import { codeOf, secretOf } from "./refused";

vi.hoisted(() => {
  process.env.NEXTAUTH_URL = "http://localhost:3000";
});

const PASSWORD = "correct horse battery";
const party = { id: "localhost", origin: "http://localhost:3000" };

/** Somebody with every way in. */
async function newOwner() {
  const user = await createUser({ username: newUsername(), password: PASSWORD });
  const sessionId = String(await openSession(user, { userAgent: "", network: "" }));
  const key = new Authenticator(party.origin);
  const adding: Ceremony = { purpose: "add", browser: newId(), subject: user.id };
  await addPasskey(user.id, await verifyRegistration(key.create(newChallenge(adding)), party, adding));
  const codes = await createRecoveryCodes({ ...user, sessionId }, PASSWORD, newNetwork());
  const secret = secretOf((await createRecoveryLink(user.username)).link);
  return { ...user, sessionId, key, code: String(codes[0]), codes, secret };
}
type Owner = Awaited<ReturnType<typeof newOwner>>;

/** Which of the ways in work: each is tried, and none used up. */
async function waysIn({ username, code, secret, key, sessionId }: Owner) {
  const proofs: RecoveryProof[] = [
    { through: "code", username, code },
    { through: "link", secret },
  ];
  const [browser, network] = [newId(), newNetwork()];
  const answer = key.get(newChallenge({ purpose: "sign in", browser, subject: "" }));
  return {
    code: await codeOf(findProven(proofs[0] as RecoveryProof, network)),
    link: await codeOf(findProven(proofs[1] as RecoveryProof, network)),
    passkey: await codeOf(authenticateWithPasskey(answer, { party, browser, network })),
    session: (await sessionUser(sessionId)) !== null,
  };
}
const ALL = { code: "ok", link: "ok", passkey: "ok", session: true };

describe("every way in", () => {
  test("is closed to a disabled account; afterwards links and sessions stay ended", async () => {
    const owner = await newOwner();
    expect(await waysIn(owner)).toEqual(ALL);
    await setDisabled(owner.username, true);
    const closed = { code: "wrong_code", link: "bad_link", passkey: "account_disabled", session: false };
    expect(await waysIn(owner)).toEqual(closed);
    expect(await codeOf(createRecoveryLink(owner.username))).toBe("account_disabled");
    await setDisabled(owner.username, false);
    expect(await waysIn(owner)).toEqual({ ...ALL, link: "bad_link", session: false });
  });

  test("goes with a deleted account, and a name that was deleted gets no link, invitation or account", async () => {
    const owner = await newOwner();
    await deleteAccount(owner, { username: owner.username, password: PASSWORD }, newNetwork());
    const gone = { code: "wrong_code", link: "bad_link", passkey: "passkey_refused", session: false };
    expect(await waysIn(owner)).toEqual(gone);
    const where = { where: { userId: owner.id } };
    expect(
      await Promise.all([db.recoveryCode.count(where), db.recoveryLink.count(where), db.passkey.count(where)]),
    ).toEqual([0, 0, 0]);
    expect(await codeOf(createRecoveryLink(owner.username))).toBe("user_not_found");
    expect(await codeOf(createInvitation({ username: owner.username, role: "user" }))).toBe("username_taken");
    const open = secretOf((await createInvitation({ username: null, role: "user" })).link);
    expect(await codeOf(acceptInvitation(open, owner.username, PASSWORD, newNetwork()))).toBe("username_taken");
  });

  test("outlives a rotation of the secrets", async () => {
    const owner = await newOwner();
    await rotateSecrets(false, () => {});
    expect(await waysIn(owner)).toEqual(ALL);
  });

  test("leaves a line in the trail for each thing done, without a secret", async () => {
    const owner = await newOwner();
    await recoverByCode(owner.username, owner.code, PASSWORD, true, newNetwork());
    const events = await auditTrail({ subjectId: owner.id }, 50);
    expect(events.map(({ action }) => action).reverse()).toEqual([
      "user.create",
      "user.signin",
      "passkey.add",
      "user.confirm",
      "recovery.codes",
      "recovery.link",
      "recovery.use",
      "token.rotate",
    ]);
    for (const secret of [...owner.codes, owner.secret]) expect(JSON.stringify(events)).not.toContain(secret);
  });
});

test("a link ends recovery codes, which somebody else may have created, and a code ends only itself", async () => {
  const owner = await newOwner();
  await recoverByCode(owner.username, owner.code, PASSWORD, false, newNetwork());
  expect(await db.recoveryCode.count({ where: { userId: owner.id } })).toBe(9);
  const secret = secretOf((await createRecoveryLink(owner.username)).link);
  await recoverByLink(secret, PASSWORD, false, newNetwork());
  expect(await db.recoveryCode.count({ where: { userId: owner.id } })).toBe(0);
});

test("of an invitation and a sign-up for one name at the same time, one gets it, 50 times", async () => {
  let hashingMs = 0;
  for (let round = 0; round < 50; round++) {
    const username = newUsername();
    const secret = secretOf((await createInvitation({ username, role: "admin" })).link);
    const passkey = await signUpPasskey();
    const started = performance.now();
    const accepting = codeOf(acceptInvitation(secret, "", PASSWORD, newNetwork()));
    // At any moment of the other, which hashes a password first.
    await sleep(Math.random() * hashingMs);
    const signedUp = await codeOf(signUp({ username: username.toUpperCase(), passkey }, newNetwork()));
    const invited = await accepting;
    hashingMs = performance.now() - started;
    expect([invited, signedUp].sort()).toEqual(["ok", "username_taken"]);
    const { role } = await db.user.findUniqueOrThrow({ where: { usernameKey: username } });
    expect(role, "only the invitation brings the role").toBe(invited === "ok" ? "admin" : "user");
    expect(await db.invitation.count({ where: { usernameKey: username } })).toBe(invited === "ok" ? 0 : 1);
  }
});

async function signUpPasskey() {
  const key = new Authenticator(party.origin);
  const ceremony: Ceremony = { purpose: "sign up", browser: newId(), subject: "anybody" };
  const passkey = await verifyRegistration(key.create(newChallenge(ceremony)), party, ceremony);
  return { ...passkey, userId: newId() };
}

test("an operator's new password ends the link, and keeps the codes", async () => {
  const owner = await newOwner();
  await setPassword(owner.username, PASSWORD);
  expect(await waysIn(owner)).toEqual({ ...ALL, link: "bad_link", session: false });
});

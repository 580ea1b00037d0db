import { describe, expect, test } from "vitest";
import { activityOf } from "@/lib/account/activity";
import { changePassword, provePassword } from "@/lib/auth/authenticate";
import { confirmByPasskey, confirmingIn, waysToConfirm } from "@/lib/auth/confirm";
import { connectIdentity } from "@/lib/auth/identities";
import { hasRecentProof, PROOF_MS, requireRecentProof } from "@/lib/auth/recent-proof";
import { closeSession, openSession } from "@/lib/auth/sessions";
import { setDisabled } from "@/lib/auth/standing";
import { createUser, setPassword } from "@/lib/auth/users";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import { addPasskey } from "@/lib/passkeys/add";
import { CHALLENGE_SECONDS, newChallenge } from "@/lib/passkeys/challenge";
import { requestOptions } from "@/lib/passkeys/prove";
import { verifyRegistration } from "@/lib/passkeys/register";
import { createRecoveryCodes } from "@/lib/recovery/recovery-codes";
import { Authenticator } from "@/tests/support/authenticator";
import { newNetwork } from "@/tests/support/network";
import { makeUser, newUsername, signedIn } from "@/tests/support/user";

const PASSWORD = "correct horse battery";
const party = { id: "localhost", origin: "http://localhost:3000" };
const needed = { code: "proof_needed", status: 403 };
const refused = { code: "passkey_refused" };
const expired = { code: "passkey_expired" };
const LONG_AGO = new Date(Date.now() - PROOF_MS);

type Here = Awaited<ReturnType<typeof longAgo>>;

/** Somebody who signed in ten minutes ago. */
async function longAgo<User extends { id: string; username: string }>(user: User) {
  const here = await signedIn(user);
  await db.session.update({ where: { id: here.sessionId }, data: { createdAt: LONG_AGO } });
  return here;
}

const withPassword = async () => longAgo(await createUser({ username: newUsername(), password: PASSWORD }));

/** The same with a passkey, and no password. */
async function withPasskey() {
  const here = await longAgo(await makeUser());
  const key = new Authenticator(party.origin);
  const ceremony = { purpose: "add", browser: newId(), subject: "" } as const;
  await addPasskey(here.id, await verifyRegistration(key.create(newChallenge(ceremony)), party, ceremony));
  return { here, key, source: { party, browser: newId(), network: newNetwork() } };
}

const answered = (key: Authenticator, here: Here, browser: string, now?: Date) =>
  key.get(newChallenge(confirmingIn(here, browser), now));

describe("a proof", () => {
  test("is in the history of the account, once in ten minutes and session", async () => {
    const here = await withPassword();
    const other = { ...here, sessionId: (await signedIn(here)).sessionId };
    const network = newNetwork();
    const start = Date.now();
    const prove = (at: number, user = here, password = PASSWORD) =>
      provePassword(user, password, network, new Date(start + at)).catch(() => null);
    const lines = async () => {
      const { events } = await activityOf(here.id, 50);
      return events.filter(({ action }) => action === "user.confirm").map(({ detail }) => detail);
    };
    await prove(0, here, "not the password");
    expect(await lines()).toEqual([]);
    await prove(0);
    expect(await lines()).toEqual([{ through: "password" }]);
    await Promise.all([prove(2_000), prove(2_000)]);
    expect(await lines()).toHaveLength(1);
    await Promise.all([prove(3_000, other), prove(4_000, other)]);
    expect(await lines()).toHaveLength(2);
    await prove(2_000 + PROOF_MS - 1);
    expect(await lines()).toHaveLength(2);
    await prove(2_000 + 2 * PROOF_MS);
    expect(await lines()).toHaveLength(3);

    const { here: holder, key, source } = await withPasskey();
    await confirmByPasskey(holder, answered(key, holder, source.browser), source);
    const { events } = await activityOf(holder.id, 50);
    expect(events[0]).toMatchObject({ action: "user.confirm", detail: { through: "passkey" } });
  });

  test("is signing in, for ten minutes; a session from before is as old as its sign-in", async () => {
    const user = await makeUser();
    const now = new Date();
    const sessionId = String(await openSession(user, { userAgent: "", network: "" }, now));
    const here = { ...user, sessionId };
    expect(await hasRecentProof(here, new Date(now.getTime() + PROOF_MS - 1))).toBe(true);
    expect(await hasRecentProof(here, new Date(now.getTime() + PROOF_MS))).toBe(false);
    await expect(requireRecentProof(await longAgo(user))).rejects.toMatchObject(needed);
  });

  test("counts for its own session only, and ends with it", async () => {
    const here = await withPassword();
    const elsewhere = await longAgo(here);
    await provePassword(here, PASSWORD, newNetwork());
    await requireRecentProof(here);
    await expect(requireRecentProof(elsewhere)).rejects.toMatchObject(needed);
    const stranger = await longAgo(await makeUser());
    for (const { sessionId } of [here, { sessionId: newId() }])
      await expect(requireRecentProof({ ...stranger, sessionId })).rejects.toMatchObject(needed);
    await closeSession(here.sessionId);
    await expect(requireRecentProof(here)).rejects.toMatchObject(needed);
  });

  test("is worth nothing once the session is over or the account disabled", async () => {
    const here = await withPassword();
    await provePassword(here, PASSWORD, newNetwork());
    await db.session.update({ where: { id: here.sessionId }, data: { expiresAt: LONG_AGO } });
    await expect(requireRecentProof(here)).rejects.toMatchObject(needed);
    const other = await withPassword();
    await db.user.update({ where: { id: other.id }, data: { disabledAt: new Date() } });
    await provePassword(other, PASSWORD, newNetwork());
    await expect(requireRecentProof(other)).rejects.toMatchObject(needed);
    await db.user.update({ where: { id: other.id }, data: { disabledAt: null } });
    await expect(requireRecentProof(other)).rejects.toMatchObject(needed);
  });
});

describe("confirming with the password", () => {
  test("counts once it is right, by two at the same time, too", async () => {
    const here = await withPassword();
    await expect(provePassword(here, "wrong password", newNetwork())).rejects.toMatchObject({ code: "wrong_password" });
    await expect(requireRecentProof(here)).rejects.toMatchObject(needed);
    await Promise.all([1, 2].map(() => provePassword(here, PASSWORD, newNetwork())));
    await requireRecentProof(here);
  });

  test("is part of what asks for the password anyway", async () => {
    const [changing, creating] = [await withPassword(), await withPassword()];
    await changePassword(changing, PASSWORD, "another horse battery", newNetwork());
    await createRecoveryCodes(creating, PASSWORD, newNetwork());
    for (const here of [changing, creating]) await requireRecentProof(here);
  });

  test("is asked of nobody without one: a first password and recovery codes need another proof", async () => {
    const { here, key, source } = await withPasskey();
    const setOne = () => changePassword(here, "", "another horse battery", newNetwork());
    await expect(setOne()).rejects.toMatchObject(needed);
    await expect(createRecoveryCodes(here, "", newNetwork())).rejects.toMatchObject(needed);
    await confirmByPasskey(here, answered(key, here, source.browser), source);
    expect(await createRecoveryCodes(here, "", newNetwork())).toHaveLength(10);
    await setOne();
  });
});

describe("confirming with a passkey", () => {
  test("takes one of the user's, which alone is asked for", async () => {
    const { here, key, source } = await withPasskey();
    const options = await requestOptions(party, confirmingIn(here, source.browser), here.id);
    expect(options).toMatchObject({
      userVerification: "required",
      allowCredentials: [{ id: key.id, transports: ["internal"] }],
    });
    await confirmByPasskey(here, key.get(options.challenge), source);
    await requireRecentProof(here);
  });

  test("is refused for somebody else's, and without a finger, face or PIN", async () => {
    const [{ here, key, source }, other] = [await withPasskey(), await withPasskey()];
    const theirs = answered(other.key, here, source.browser);
    await expect(confirmByPasskey(here, theirs, source)).rejects.toMatchObject(refused);
    const unverified = key.get(newChallenge(confirmingIn(here, source.browser)), { flags: 1 });
    await expect(confirmByPasskey(here, unverified, source)).rejects.toMatchObject(refused);
    for (const one of [here, other.here]) await expect(requireRecentProof(one)).rejects.toMatchObject(needed);
  });

  test("is for one session, one browser, one purpose, five minutes and one answer", async () => {
    const { here, key, source } = await withPasskey();
    const elsewhere = await longAgo(here);
    const confirm = (answer: unknown, from = source) => confirmByPasskey(here, answer, from);
    const answer = answered(key, here, source.browser);
    await expect(confirm(answered(key, elsewhere, source.browser))).rejects.toMatchObject(expired);
    await expect(confirm(answer, { ...source, browser: newId() })).rejects.toMatchObject(expired);
    const signingIn = newChallenge({ purpose: "sign in", browser: source.browser, subject: "" });
    await expect(confirm(key.get(signingIn))).rejects.toMatchObject(expired);
    const old = new Date(Date.now() - CHALLENGE_SECONDS * 1000);
    await expect(confirm(answered(key, here, source.browser, old))).rejects.toMatchObject(expired);
    await expect(requireRecentProof(here)).rejects.toMatchObject(needed);

    const results = await Promise.allSettled([1, 2].map(() => confirm(answer)));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await requireRecentProof(here);
    await db.session.update({ where: { id: here.sessionId }, data: { provenAt: LONG_AGO } });
    await expect(confirm(answer)).rejects.toMatchObject(expired);
    await expect(requireRecentProof(here)).rejects.toMatchObject(needed);
  });

  test("is refused for a disabled account", async () => {
    const { here, key, source } = await withPasskey();
    await setDisabled(here.username, true);
    await expect(confirmByPasskey(here, answered(key, here, source.browser), source)).rejects.toMatchObject(refused);
  });
});

test("a user is offered the passkey of this address and the password, and no provider that is not set up", async () => {
  const [known, { here }] = [await withPassword(), await withPasskey()];
  const ways = { passkey: false, password: false, providers: [] };
  expect(await waysToConfirm(known, party)).toEqual({ ...ways, username: known.username, password: true });
  expect(await waysToConfirm(here, party)).toEqual({ ...ways, username: here.username, passkey: true });
  expect(await waysToConfirm(here, { id: "example.org", origin: "https://example.org" })).toMatchObject(ways);
  await connectIdentity(here.id, { provider: "github", accountId: newId() });
  expect(await waysToConfirm(here, null)).toMatchObject(ways);
});

test("signing in with a provider is a proof only for a user who has nothing else", async () => {
  const identity = { provider: "github", accountId: newId() };
  const signIn = async (id: string) =>
    String(await openSession({ id, identity }, { userAgent: "", network: "loopback" }));
  const user = await makeUser();
  await connectIdentity(user.id, identity);
  await requireRecentProof({ id: user.id, sessionId: await signIn(user.id) });
  await setPassword(user.username, PASSWORD);
  const here = { ...user, sessionId: await signIn(user.id) };
  await expect(requireRecentProof(here)).rejects.toMatchObject(needed);
  await provePassword(here, PASSWORD, newNetwork());
  await requireRecentProof(here);
});

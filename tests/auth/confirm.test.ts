import { describe, expect, test } from "vitest";
import { hasRecentProof, requireRecentProof } from "@/lib/accounts/session/proof";
import { closeSession, openSession } from "@/lib/accounts/session/sessions";
import { changePassword, setPassword } from "@/lib/accounts/ways-in/change-password";
import {
  confirmationCeremony,
  confirmationMethods,
  confirmByPasskey,
  provePassword,
} from "@/lib/accounts/ways-in/confirm";
import { connectIdentity } from "@/lib/accounts/ways-in/connect";
import { createUser } from "@/lib/accounts/ways-in/create";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { newChallenge } from "@/lib/accounts/ways-in/passkeys/challenge";
import { requestOptions } from "@/lib/accounts/ways-in/passkeys/prove";
import { createRecoveryCodes } from "@/lib/accounts/ways-in/recovery/codes";
import { PROOF_MS } from "@/lib/platform/bounds";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { activityOf } from "@/lib/user-data/activity";
import { type Authenticator, addedPasskey, party } from "@/tests/support/authenticator";
import { newNetwork } from "@/tests/support/request";
import { codeOf } from "@/tests/support/statements";
import { makeUser, newUsername, signedIn } from "@/tests/support/user";

const PASSWORD = "correct horse battery";
/** That an action which needs one is refused. */
const lacksProof = (here: { id: string; sessionId: string }) =>
  expect(requireRecentProof(here)).rejects.toMatchObject({ code: "proof_needed", status: 403 });
const LONG_AGO = new Date(Date.now() - PROOF_MS);

type Here = Awaited<ReturnType<typeof longAgo>>;

async function longAgo<User extends { id: string; username: string }>(user: User) {
  const here = await signedIn(user);
  await db.session.update({ where: { id: here.sessionId }, data: { createdAt: LONG_AGO } });
  return here;
}

const withPassword = async () => longAgo(await createUser({ username: newUsername(), password: PASSWORD }));

async function withPasskey() {
  const here = await longAgo(await makeUser());
  const key = await addedPasskey(here);
  return { here, key, source: { party, browser: newId(), network: newNetwork() } };
}

const answered = (key: Authenticator, here: Here, { browser, now }: { browser: string; now?: Date }) =>
  key.get(newChallenge(confirmationCeremony(here, { party, browser }), now));

describe("a proof", () => {
  test("is in the history of the account, once in ten minutes and session", async () => {
    const here = await withPassword();
    const other = { ...here, sessionId: (await signedIn(here)).sessionId };
    const network = newNetwork();
    const start = Date.now();
    const prove = (at: number, user = here, password = PASSWORD) =>
      provePassword(user, password, { network, now: new Date(start + at) }).catch(() => null);
    const lines = async () => {
      const { events } = await activityOf(here.id, { size: 50 });
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
    await confirmByPasskey(holder, answered(key, holder, { browser: source.browser }), source);
    const { events } = await activityOf(holder.id, { size: 50 });
    expect(events[0]).toMatchObject({ action: "user.confirm", detail: { through: "passkey" } });
  });

  test("is signing in, for ten minutes; a session from before is as old as its sign-in", async () => {
    const user = await makeUser();
    const now = new Date();
    const sessionId = String(await openSession(user, { userAgent: "", network: "", now }));
    const here = { ...user, sessionId };
    expect(await hasRecentProof(here, new Date(now.getTime() + PROOF_MS - 1))).toBe(true);
    expect(await hasRecentProof(here, new Date(now.getTime() + PROOF_MS))).toBe(false);
    await lacksProof(await longAgo(user));
  });

  test("counts for its own session only, and ends with it", async () => {
    const here = await withPassword();
    const elsewhere = await longAgo(here);
    await provePassword(here, PASSWORD, { network: newNetwork() });
    await requireRecentProof(here);
    await lacksProof(elsewhere);
    const stranger = await longAgo(await makeUser());
    for (const { sessionId } of [here, { sessionId: newId() }]) await lacksProof({ ...stranger, sessionId });
    await closeSession(here.sessionId);
    await lacksProof(here);
  });

  test("is worth nothing once the session is over or the account disabled", async () => {
    const here = await withPassword();
    await provePassword(here, PASSWORD, { network: newNetwork() });
    await db.session.update({ where: { id: here.sessionId }, data: { expiresAt: LONG_AGO } });
    await lacksProof(here);
    const other = await withPassword();
    await db.user.update({ where: { id: other.id }, data: { disabledAt: new Date() } });
    await provePassword(other, PASSWORD, { network: newNetwork() });
    await lacksProof(other);
    await db.user.update({ where: { id: other.id }, data: { disabledAt: null } });
    await lacksProof(other);
  });
});

describe("confirming with the password", () => {
  test("counts once it is right, by two at the same time, too", async () => {
    const here = await withPassword();
    expect(await codeOf(provePassword(here, "wrong password", { network: newNetwork() }))).toBe("wrong_password");
    await lacksProof(here);
    await Promise.all([1, 2].map(() => provePassword(here, PASSWORD, { network: newNetwork() })));
    await requireRecentProof(here);
  });

  test("is part of what asks for the password anyway", async () => {
    const [changing, creating] = [await withPassword(), await withPassword()];
    await changePassword(changing, { current: PASSWORD, next: "another horse battery" }, { network: newNetwork() });
    await createRecoveryCodes(creating, PASSWORD, { network: newNetwork() });
    for (const here of [changing, creating]) await requireRecentProof(here);
  });

  test("is asked of nobody without one: a first password and recovery codes need another proof", async () => {
    const { here, key, source } = await withPasskey();
    const setOne = () =>
      changePassword(here, { current: "", next: "another horse battery" }, { network: newNetwork() });
    expect(await codeOf(setOne())).toBe("proof_needed");
    expect(await codeOf(createRecoveryCodes(here, "", { network: newNetwork() }))).toBe("proof_needed");
    await confirmByPasskey(here, answered(key, here, { browser: source.browser }), source);
    expect(await createRecoveryCodes(here, "", { network: newNetwork() })).toHaveLength(10);
    await setOne();
  });
});

describe("confirming with a passkey", () => {
  test("takes one of the user's, which alone is asked for", async () => {
    const { here, key, source } = await withPasskey();
    const options = await requestOptions(confirmationCeremony(here, source), { userId: here.id });
    expect(options).toMatchObject({
      userVerification: "required",
      allowCredentials: [{ id: key.id, transports: ["internal"] }],
    });
    await confirmByPasskey(here, key.get(options.challenge), source);
    await requireRecentProof(here);
  });

  test("is refused for somebody else's, and without a finger, face or PIN", async () => {
    const [{ here, key, source }, other] = [await withPasskey(), await withPasskey()];
    const theirs = answered(other.key, here, { browser: source.browser });
    expect(await codeOf(confirmByPasskey(here, theirs, source))).toBe("passkey_refused");
    const unverified = key.get(newChallenge(confirmationCeremony(here, source)), { flags: 1 });
    expect(await codeOf(confirmByPasskey(here, unverified, source))).toBe("passkey_refused");
    for (const one of [here, other.here]) await lacksProof(one);
  });

  test("is for one session and one browser, and one answer", async () => {
    const { here, key, source } = await withPasskey();
    const elsewhere = await longAgo(here);
    const confirm = (answer: unknown, from = source) => confirmByPasskey(here, answer, from);
    const answer = answered(key, here, { browser: source.browser });
    expect(await codeOf(confirm(answered(key, elsewhere, { browser: source.browser })))).toBe("passkey_expired");
    expect(await codeOf(confirm(answer, { ...source, browser: newId() }))).toBe("passkey_expired");
    await lacksProof(here);
    await confirm(answer);
    await db.session.update({ where: { id: here.sessionId }, data: { provenAt: LONG_AGO } });
    expect(await codeOf(confirm(answer))).toBe("passkey_expired");
    await lacksProof(here);
  });

  test("counts towards the network's failed sign-ins when it is refused, and a disabled account has none", async () => {
    const { here, key, source } = await withPasskey();
    const failing = () => codeOf(confirmByPasskey(here, {}, source));
    for (let n = 0; n < env.FAILED_PASSWORDS_PER_NETWORK_10_MINUTES; n++)
      expect(await failing()).toBe("passkey_refused");
    expect(await failing()).toBe("rate_limited");
    source.network = newNetwork();
    await setDisabled(here.username, { disabled: true });
    expect(await codeOf(confirmByPasskey(here, answered(key, here, { browser: source.browser }), source))).toBe(
      "passkey_refused",
    );
  });
});

test("a user is offered the passkey of this address and the password, and no provider that is not set up", async () => {
  const [known, { here }] = [await withPassword(), await withPasskey()];
  const ways = { passkey: false, password: false, providers: [] };
  expect(await confirmationMethods(known, party)).toEqual({ ...ways, username: known.username, password: true });
  expect(await confirmationMethods(here, party)).toEqual({ ...ways, username: here.username, passkey: true });
  expect(await confirmationMethods(here, { id: "example.org", origin: "https://example.org" })).toMatchObject(ways);
  await connectIdentity(here.id, { provider: "github", accountId: newId() });
  expect(await confirmationMethods(here, null)).toMatchObject(ways);
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
  await lacksProof(here);
  await provePassword(here, PASSWORD, { network: newNetwork() });
  await requireRecentProof(here);
});

import { afterAll, describe, expect, test } from "vitest";
import { openSession } from "@/lib/accounts/session/sessions";
import { disconnectIdentity } from "@/lib/accounts/ways-in/identities";
import { addPasskey, creationOptions, verifyRegistration } from "@/lib/accounts/ways-in/passkeys/add";
import {
  type Ceremony,
  CHALLENGE_SECONDS,
  newChallenge,
  sweepChallenges,
} from "@/lib/accounts/ways-in/passkeys/challenge";
import { MAX_PASSKEYS, passkeysOf } from "@/lib/accounts/ways-in/passkeys/list";
import { provePasskey } from "@/lib/accounts/ways-in/passkeys/prove";
import { removePasskey } from "@/lib/accounts/ways-in/passkeys/remove";
import { renamePasskey } from "@/lib/accounts/ways-in/passkeys/rename";
import { createRecoveryCodes } from "@/lib/accounts/ways-in/recovery/codes";
import { authenticateWithPasskey } from "@/lib/accounts/ways-in/sign-in";
import { newcomer, signUpWithPasskey } from "@/lib/accounts/ways-in/sign-up";
import { auditTrail } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { activityOf } from "@/lib/user-data/activity";
import { Authenticator, addedPasskey as added, party } from "@/tests/support/authenticator";
import { newNetwork } from "@/tests/support/request";
import { codeOf } from "@/tests/support/statements";
import { makeUser, newUsername, signedIn, type TestUser } from "@/tests/support/user";

// The doctor would find them.
afterAll(() => db.passkey.deleteMany({ where: { host: ELSEWHERE } }).then(() => {}));

const ELSEWHERE = "old.example.org";
const seconds = (count: number, from = new Date()) => new Date(from.getTime() + count * 1000);
const is = (code: string) => (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ code, status: 401 });
const [refused, expired] = [is("passkey_refused"), is("passkey_expired")];
const [unknown, unfit] = [is("passkey_unknown"), is("passkey_unfit")];
const statuses = async (works: Promise<unknown>[]) =>
  (await Promise.allSettled(works)).map(({ status }) => status).sort();

const adding = (user: TestUser): Ceremony => ({
  purpose: "add",
  party,
  browser: newId(),
  subject: `${user.id} session`,
});
const signingIn = (browser = newId()): Ceremony => ({ purpose: "sign in", party, browser, subject: "" });

const signIn = (key: Authenticator, claims = {}, ceremony = signingIn()) =>
  provePasskey(key.get(newChallenge(ceremony), claims), ceremony);

function source(network = newNetwork()) {
  const browser = newId();
  return { at: { party, browser, network }, challenge: newChallenge(signingIn(browser)) };
}

describe("a passkey", () => {
  test("signs its user in, and counts its uses", async () => {
    const user = await makeUser();
    const key = await added(user);
    expect(await passkeysOf(user.id)).toMatchObject([{ name: "Passkey", host: "localhost", usedAt: null }]);
    expect(await signIn(key, { userHandle: user.id })).toMatchObject({ id: user.id, username: user.username });
    expect(await signIn(key, { counter: 7 })).toMatchObject({ id: user.id });
    expect((await passkeysOf(user.id))[0]?.usedAt).toBeInstanceOf(Date);
    expect(await auditTrail({ subjectId: user.id }, 5)).toMatchObject([
      { action: "passkey.add", actor: user.username, detail: { name: "Passkey" } },
    ]);
  });

  test("whose count does not grow is refused and recorded, and the first of both goes on", async () => {
    const user = await makeUser();
    const key = await added(user, 4);
    await signIn(key, { counter: 9 });
    for (const counter of [9, 8, 0]) await refused(signIn(key, { counter }));
    const [last] = await auditTrail({ subjectId: user.id }, 1);
    expect(last).toMatchObject({ action: "passkey.refuse", actorId: null, detail: { name: "Passkey" } });
    expect(await signIn(key, { counter: 10 })).toMatchObject({ id: user.id });
  });

  test("that is removed while it signs in opens no session", async () => {
    const user = await makeUser();
    const key = await added(user);
    const { at, challenge } = source();
    const proven = await authenticateWithPasskey(key.get(challenge), at);
    const from = { userAgent: "", network: "" };
    expect(await openSession(proven, from)).not.toBeNull();
    await db.passkey.deleteMany({ where: { userId: user.id } });
    expect(await openSession(proven, from)).toBeNull();
  });

  test("is renamed and removed by its own user only, and signs nobody in then", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const [key] = [await added(user), await added(user)];
    const [second, first] = await passkeysOf(user.id);
    expect(second?.name).toBe("Passkey 2");
    const id = String(first?.id);
    for (const change of [renamePasskey(other.id, id, "Mine"), removePasskey(other.id, id)])
      expect(await codeOf(change)).toBe("passkey_not_found");
    expect(await renamePasskey(user.id, id, "  Old phone ")).toBe("Old phone");
    for (const name of ["", "x".repeat(41), "a\u202eb"])
      expect(await codeOf(renamePasskey(user.id, id, name))).toBe("invalid_parameter");
    expect(await removePasskey(user.id, id)).toBe("Old phone");
    await unknown(signIn(key));
    expect(await codeOf(removePasskey(user.id, id))).toBe("passkey_not_found");
    const { events } = await activityOf(user.id, { size: 5 });
    expect(events[0]).toMatchObject({ action: "passkey.remove", detail: { name: "Old phone" } });
  });
});

describe("the last way in", () => {
  const lastWay = { code: "last_way_in", status: 409 };

  test("stays, be it a passkey or a provider; the operator may remove it once a link is open", async () => {
    const user = await makeUser();
    await added(user);
    const id = String((await passkeysOf(user.id))[0]?.id);
    await expect(removePasskey(user.id, id)).rejects.toMatchObject(lastWay);
    await disconnectIdentity(user.id, "github");
    await createRecoveryCodes(await signedIn(user), "", { network: newNetwork() });
    const link = (expiresAt: Date) => ({ userId: user.id, hash: newId(), createdAt: new Date(), expiresAt });
    await db.recoveryLink.create({ data: link(seconds(-1)) });
    await expect(removePasskey(user.id, id, { actorId: "operator" })).rejects.toMatchObject(lastWay);
    await db.recoveryLink.updateMany({ where: { userId: user.id }, data: link(seconds(60)) });
    await expect(removePasskey(user.id, id)).rejects.toMatchObject(lastWay);
    await removePasskey(user.id, id, { actorId: "operator" });
    await expect(disconnectIdentity(user.id, "github")).rejects.toMatchObject(lastWay);
  });

  test("stays of two passkeys removed at the same time, and is never one of another host", async () => {
    const user = await makeUser();
    await added(user);
    await added(user);
    const ids = (await passkeysOf(user.id)).map(({ id }) => id);
    expect(await statuses(ids.map((id) => removePasskey(user.id, id)))).toEqual(["fulfilled", "rejected"]);
    const [kept] = await passkeysOf(user.id);
    expect(await passkeysOf(user.id)).toHaveLength(1);
    await added(user);
    await db.passkey.updateMany({ where: { userId: user.id, NOT: { id: kept?.id } }, data: { host: ELSEWHERE } });
    await expect(removePasskey(user.id, String(kept?.id))).rejects.toMatchObject(lastWay);
  });
});

describe("a challenge", () => {
  test("is answered once, even by two at the same time", async () => {
    const key = await added(await makeUser());
    const ceremony = signingIn();
    const answer = key.get(newChallenge(ceremony));
    const answering = [1, 2, 3].map(() => codeOf(provePasskey(answer, ceremony)));
    expect((await Promise.all(answering)).sort()).toEqual(["ok", "passkey_expired", "passkey_expired"]);
    await expired(provePasskey(answer, ceremony));
  });

  test("lives for five minutes", async () => {
    const [key, ceremony, made] = [await added(await makeUser()), signingIn(), new Date()];
    const answer = key.get(newChallenge(ceremony, made));
    const at = (after: number) => provePasskey(answer, ceremony, seconds(after, made));
    await expired(at(CHALLENGE_SECONDS));
    await at(CHALLENGE_SECONDS - 1);
  });

  test("is for one browser, one purpose and one subject, and nobody can make one", async () => {
    const key = await added(await makeUser());
    const ceremony = signingIn();
    const answer = key.get(newChallenge(ceremony));
    for (const other of [signingIn(), signingIn(""), { ...ceremony, purpose: "add" }, { ...ceremony, subject: "x" }])
      await expired(provePasskey(answer, other as Ceremony));
    const bytes = Buffer.from(newChallenge(ceremony), "base64url");
    bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
    await expired(provePasskey(key.get(bytes.toString("base64url")), ceremony));
    for (const forged of ["", "AAAA", "x".repeat(73), "\u0000"]) await refused(provePasskey(key.get(forged), ceremony));
  });

  test("is stored only once answered, and until it ends", async () => {
    const now = new Date();
    const key = await added(await makeUser());
    await sweepChallenges(seconds(2 * CHALLENGE_SECONDS, now));
    const ceremony = signingIn();
    for (let asked = 0; asked < 50; asked++) newChallenge(ceremony);
    await refused(signIn(key, { host: "evil.example" }, ceremony));
    expect(await db.usedChallenge.count()).toBe(0);
    await provePasskey(key.get(newChallenge(ceremony, now)), ceremony, now);
    expect(await db.usedChallenge.count()).toBe(1);
    expect(await sweepChallenges(seconds(CHALLENGE_SECONDS - 1, now))).toBe(0);
    expect(await sweepChallenges(seconds(CHALLENGE_SECONDS, now))).toBe(1);
  });
});

describe("an answer is refused", () => {
  test.each([
    ["from another origin", { origin: "http://localhost:3001" }],
    ["from a look-alike", { origin: "https://localhost:3000" }],
    ["of another host", { host: "example.org" }],
    ["without a finger, face or PIN", { flags: 1 }],
    ["without a touch", { flags: 4 }],
    ["that names another user", { userHandle: newId() }],
  ])("%s", async (_, claims) => {
    const key = await added(await makeUser());
    await refused(signIn(key, claims));
    expect(await signIn(key)).toBeDefined();
  });

  test("of an unknown passkey, with a wrong signature, or of a passkey stored for another host", async () => {
    const user = await makeUser();
    const key = await added(user);
    await unknown(signIn(new Authenticator(party.origin)));
    const ceremony = signingIn();
    const stolen = { ...new Authenticator(party.origin).get(newChallenge(ceremony)), id: key.id, rawId: key.id };
    await refused(provePasskey(stolen, ceremony));
    await db.passkey.updateMany({ where: { userId: user.id }, data: { host: ELSEWHERE } });
    await unknown(signIn(key));
  });

  test("of any form or size that no authenticator has", async () => {
    const key = await added(await makeUser());
    const ceremony = signingIn();
    const good = key.get(newChallenge(ceremony));
    const long = "A".repeat(20_000);
    const bad: unknown[] = [null, 1, "x", [], {}, { ...good, type: "password" }, { ...good, id: long, rawId: long }];
    for (const field of ["clientDataJSON", "authenticatorData", "signature", "userHandle"])
      for (const value of [long, "+/=", "", 5, {}])
        bad.push({ ...good, response: { ...good.response, [field]: value } });
    for (const sent of bad) await refused(provePasskey(sent, ceremony));
    expect(await provePasskey(good, ceremony)).toBeDefined();
  });
});

describe("a new passkey", () => {
  test("is refused from another origin or host, with forbidden flags, with certificates, or too large", async () => {
    const ceremony = adding(await makeUser());
    const verify = (sent: unknown) => verifyRegistration(sent, ceremony);
    for (const claims of [
      { origin: "https://evil.example" },
      { host: "evil.example" },
      { flags: 1 },
      { flags: 4 },
      { flags: 0x15 },
    ])
      await unfit(verify(new Authenticator(party.origin).create(newChallenge(ceremony), claims)));
    for (const format of ["packed", "tpm", "android-safetynet", "nonsense"])
      await unfit(verify(new Authenticator(party.origin).create(newChallenge(ceremony), { format })));
    await unfit(verify(new Authenticator(party.origin, 1_100).create(newChallenge(ceremony))));
    const good = new Authenticator(party.origin).create(newChallenge(ceremony));
    for (const attestationObject of ["A".repeat(9_000), "AAAA", "oWNmbXQ"])
      await unfit(verify({ ...good, response: { ...good.response, attestationObject } }));
    expect(await verify(good)).toMatchObject({ credentialId: good.id, host: "localhost", transports: "internal" });
  });

  test("is added once, to one account, and twenty to each", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const key = new Authenticator(party.origin, 1_023);
    const create = async (owner: TestUser) => {
      const ceremony = adding(owner);
      return verifyRegistration(key.create(newChallenge(ceremony)), ceremony);
    };
    const passkey = await create(user);
    await addPasskey(user.id, passkey);
    await expired(addPasskey(user.id, passkey));
    await expect(addPasskey(other.id, await create(other))).rejects.toMatchObject({ code: "passkey_known" });
    expect(await passkeysOf(other.id)).toEqual([]);
    const { excludeCredentials } = await creationOptions(user, adding(user));
    expect(excludeCredentials).toMatchObject([{ id: key.id, transports: ["internal"] }]);

    await Promise.all(Array.from({ length: MAX_PASSKEYS - 2 }, () => added(user)));
    expect(await statuses([added(user), added(user)])).toEqual(["fulfilled", "rejected"]);
    await expect(added(user)).rejects.toMatchObject({ code: "passkey_limit", status: 403 });
    expect(await passkeysOf(user.id)).toHaveLength(MAX_PASSKEYS);
  });

  test("makes an account without a password, with the name and id that it was asked for", async () => {
    const [username, userId, browser] = [newUsername(), newId(), newId()];
    const at = { party, browser, network: newNetwork() };
    const challenge = newChallenge({ purpose: "sign up", browser, subject: newcomer(username, userId) });
    const answer = new Authenticator(party.origin).create(challenge);
    for (const wanted of [
      { username: newUsername(), userId },
      { username, userId: newId() },
    ])
      await expired(signUpWithPasskey(wanted, answer, at));
    await refused(signUpWithPasskey({ username, userId: "x" }, answer, at));
    const both = [1, 2].map(() => signUpWithPasskey({ username, userId }, answer, at));
    expect(await statuses(both)).toEqual(["fulfilled", "rejected"]);
    expect(await db.user.findUnique({ where: { id: userId } })).toMatchObject({ username, passwordHash: null });
    expect(await passkeysOf(userId)).toHaveLength(1);
  });
});

test("failed answers count for their network, together with wrong passwords", async () => {
  const user = await makeUser();
  const key = await added(user);
  const network = newNetwork();
  const attempt = (claims = {}, from = network) => {
    const { at, challenge } = source(from);
    return authenticateWithPasskey(key.get(challenge, claims), at);
  };
  for (let failed = 0; failed < 49; failed++) await refused(attempt({ flags: 1 }));
  for (let right = 0; right < 3; right++) await attempt();
  await refused(attempt({ flags: 1 }));
  await expect(attempt()).rejects.toMatchObject({ code: "rate_limited", status: 429 });
  expect(await attempt({}, newNetwork())).toMatchObject({ id: user.id });
});

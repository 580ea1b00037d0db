import { describe, expect, test } from "vitest";
import { revealToken } from "@/lib/accounts/identity/token";
import { openSession, sessionUser } from "@/lib/accounts/session/sessions";
import { setPassword } from "@/lib/accounts/ways-in/change-password";
import { connectIdentity } from "@/lib/accounts/ways-in/connect";
import { createUser } from "@/lib/accounts/ways-in/create";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { userOfIdentity } from "@/lib/accounts/ways-in/identities";
import { addPasskey } from "@/lib/accounts/ways-in/passkeys/add";
import { newChallenge } from "@/lib/accounts/ways-in/passkeys/challenge";
import { MAX_PASSKEYS, passkeysOf } from "@/lib/accounts/ways-in/passkeys/list";
import { createRecoveryCodes, newRecoveryCode } from "@/lib/accounts/ways-in/recovery/codes";
import { createRecoveryLink } from "@/lib/accounts/ways-in/recovery/links";
import { type RecoveryProof, recover, recoveryOf } from "@/lib/accounts/ways-in/recovery/recover";
import { authenticate, authenticateWithPasskey } from "@/lib/accounts/ways-in/sign-in";
import { auditTrail } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { activityOf } from "@/lib/user-data/activity";
import { recoveryEffects } from "@/lib/user-data/recovery-effects";
import { type Authenticator, createPasskey, party, addedPasskey as withPasskey } from "@/tests/support/authenticator";
import { newNetwork } from "@/tests/support/request";
import { sized } from "@/tests/support/size";
import { codeOf, statementsOf } from "@/tests/support/statements";
import { makeUser, newUsername, signedIn, type TestUser } from "@/tests/support/user";
import { ending, recoverByCode } from "./recover-by";

const NEW = "another horse battery";

const created = ({ id }: TestUser) => createPasskey(id, "recover");

function signIn(key: Authenticator) {
  const [browser, network] = [newId(), newNetwork()];
  const challenge = newChallenge({ purpose: "sign in", browser, subject: "" });
  return authenticateWithPasskey(key.get(challenge), { party, browser, network });
}

/** A user without a password, for whom hashing takes no time, and the user's codes. */
async function prepared() {
  const user = await makeUser();
  const codes = await createRecoveryCodes(await signedIn(user), "", { network: newNetwork() });
  const [first, second] = codes.map((code) => ({ through: "code", username: user.username, code }));
  return { user, codes, first: first as RecoveryProof, second: second as RecoveryProof, code: String(codes[0]) };
}

describe("coming back", () => {
  test("removes passkeys, providers and e-mail address if asked, with a line for each, else keeps them", async () => {
    const { user, first, second } = await prepared();
    const keys = [await withPasskey(user), await withPasskey(user)];
    const identity = { provider: "github", accountId: newId() };
    await connectIdentity(user.id, identity);
    const pending = { pending: "thief@people.example", hash: newId(), expiresAt: new Date(Date.now() + 60_000) };
    await db.emailAddress.create({ data: { userId: user.id, address: "owner@people.example", ...pending } });
    const email = () => db.emailAddress.findUnique({ where: { userId: user.id } });
    expect(await recoveryEffects({ ...user, through: "code" })).toMatchObject({ providers: ["github"] });
    // Somebody else may have asked for this link, and be about to use it.
    await createRecoveryLink(user.username, { origin: "https://keys.example" });

    await recover(first, { signInMethod: { password: NEW }, endings: ending() }, { network: newNetwork() });
    for (const key of keys) expect(await signIn(key)).toMatchObject({ id: user.id });
    expect(await userOfIdentity(identity)).toMatchObject({ id: user.id });
    expect(await email()).toMatchObject({ address: "owner@people.example", pending: null, hash: null });
    expect(await db.recoveryLink.count({ where: { userId: user.id } })).toBe(0);

    const all = { passkeys: true, providers: true, email: true };
    await recover(second, { signInMethod: { password: NEW }, endings: ending(all) }, { network: newNetwork() });
    for (const key of keys) expect(await codeOf(signIn(key))).toBe("passkey_unknown");
    expect(await userOfIdentity(identity)).toBeNull();
    expect(await email()).toBeNull();
    const events = await auditTrail({ subjectId: user.id }, 5);
    const told = events.map(({ action, detail }) => [action, detail.name].join(" ").trim()).sort();
    const passkeys = ["passkey.remove Passkey", "passkey.remove Passkey 2"];
    expect(told).toEqual(["email.remove", ...passkeys, "provider.disconnect github", "recovery.use"]);
    for (const { actorId } of events) expect(actorId).toBe(user.id);
    expect((await activityOf(user.id, { size: 10 })).events.map(({ action }) => action)).toContain(
      "provider.disconnect",
    );
  });

  test("ends what was under way in a session that it ended", async () => {
    const { user, first } = await prepared();
    const here = await signedIn(user);
    const { passkey } = await created(user);
    await recover(first, { signInMethod: { password: NEW }, endings: ending() }, { network: newNetwork() });
    const from = { sessionId: here.sessionId };
    expect(await codeOf(addPasskey(user.id, passkey, { ...from, now: new Date() }))).toBe("signed_out");
    expect(await codeOf(createRecoveryCodes(here, NEW, { network: newNetwork() }))).toBe("signed_out");
    const identity = { provider: "github", accountId: newId() };
    expect(await openSession({ id: user.id, identity }, { userAgent: "", network: "" })).toBeNull();
    await connectIdentity(user.id, identity);
    expect(await openSession({ id: user.id, identity }, { userAgent: "", network: "" })).not.toBeNull();
  });

  test("with a new passkey ends the password, which somebody else may know", async () => {
    const { user, first } = await prepared();
    const old = await withPasskey(user);
    await setPassword(user.username, NEW);
    const { key, passkey } = await created(user);
    const back = await recover(
      first,
      { signInMethod: { passkey }, endings: ending({ passkeys: true }) },
      { network: newNetwork() },
    );
    expect(back).toEqual({ id: user.id, username: user.username, passwordHash: null });
    expect(await codeOf(authenticate(user.username, NEW, { network: newNetwork() }))).toBe("wrong_password");
    expect(await codeOf(signIn(old))).toBe("passkey_unknown");
    expect(await signIn(key)).toMatchObject({ id: user.id });
    expect(await revealToken(user.id)).toBe(user.token);
    const used = await auditTrail({ subjectId: user.id, action: "recovery.use" }, 2);
    expect(used).toMatchObject([{ detail: { through: "code", set: "passkey" } }]);
  });

  test("refused, it changes nothing: a passkey known already or too many, a used challenge or proof", async () => {
    const { user, first, second } = await prepared();
    const { passkey } = await created(user);
    const network = newNetwork();
    const one = { passkeys: true, providers: true, email: true, token: true };
    await addPasskey((await makeUser()).id, passkey);
    expect(await codeOf(recover(first, { signInMethod: { passkey }, endings: one }, { network }))).toBe(
      "passkey_expired",
    );
    const challenge = (await created(user)).passkey.challenge;
    expect(
      await codeOf(recover(first, { signInMethod: { passkey: { ...passkey, challenge } }, endings: one }, { network })),
    ).toBe("passkey_known");
    for (let n = 0; n < MAX_PASSKEYS; n++) await withPasskey(user);
    const { passkey: other } = await created(user);
    expect(await codeOf(recover(first, { signInMethod: { passkey: other }, endings: ending() }, { network }))).toBe(
      "passkey_limit",
    );
    expect(await passkeysOf(user.id)).toHaveLength(MAX_PASSKEYS);
    expect(await revealToken(user.id)).toBe(user.token);

    await recover(first, { signInMethod: { passkey: other }, endings: ending({ passkeys: true }) }, { network });
    expect(await passkeysOf(user.id)).toHaveLength(1);
    const { passkey: late } = await created(user);
    expect(await codeOf(recover(first, { signInMethod: { passkey: late }, endings: ending() }, { network }))).toBe(
      "wrong_code",
    );
    await recover(second, { signInMethod: { passkey: late }, endings: ending() }, { network });
  });

  test("names twenty programs that a new token stops, each once, and counts the others", async () => {
    const { user, code } = await prepared();
    const { tokenHash } = await db.user.findUniqueOrThrow({ where: { id: user.id }, select: { tokenHash: true } });
    const now = new Date();
    const link = (n: number) => ({
      id: newId(),
      status: "collected",
      program: n === 30 ? "" : `Program ${n % 24}`,
      network: "2001:db8::/64",
      userId: user.id,
      tokenHash,
      createdAt: now,
      expiresAt: now,
      decidedAt: new Date(now.getTime() - n),
      collectedAt: now,
    });
    await db.linkCode.createMany({ data: Array.from({ length: 31 }, (_, n) => link(n)) });
    const { username, programs } = await recoveryEffects({ ...user, through: "code" });
    expect(username).toBe(user.username);
    expect(programs.names).toEqual(Array.from({ length: 20 }, (_, n) => `Program ${n}`));
    expect(programs.more).toBe(5);
    await recoverByCode(user.username, code, { password: NEW, token: true, network: newNetwork() });
    expect((await recoveryEffects({ ...user, through: "code" })).programs).toEqual({ names: [], more: 0 });
  });
});

const OLD = "correct horse battery";

const recoverWith = (username: string, code: string, alsoToken = false) =>
  recoverByCode(username, code, { password: NEW, token: alsoToken, network: newNetwork() });

describe("recovery codes", () => {
  test("are ten, each good once for a new password; all browsers are signed out, and the token stays", async () => {
    const { user, codes, code } = await prepared();
    expect(new Set(codes).size).toBe(10);
    for (const one of codes) expect(one).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){5}$/);
    const session = await openSession(user, { userAgent: "", network: "" });
    const typed = ` ${code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `;
    expect(await recoverWith(user.username.toUpperCase(), typed)).toMatchObject({ username: user.username });
    expect(await authenticate(user.username, NEW, { network: newNetwork() })).toMatchObject({ id: user.id });
    expect(await sessionUser(String(session))).toBeNull();
    expect(await revealToken(user.id)).toBe(user.token);
    expect((await recoveryOf(user.id)).codes.left).toBe(9);
    expect(await codeOf(recoverWith(user.username, code))).toBe("wrong_code");

    await recoverWith(user.username, String(codes[1]), true);
    expect(await revealToken(user.id)).not.toBe(user.token);
    const events = await db.auditEvent.findMany({ where: { subjectId: user.id }, orderBy: { id: "asc" } });
    const actions = ["recovery.codes", "user.signin", "recovery.use", "recovery.use", "token.rotate"];
    expect(events.map(({ action }) => action)).toEqual(actions);
    expect(events.map(({ actorId }) => actorId)).toEqual(actions.map(() => user.id));
    expect(JSON.parse(String(events[2]?.detail))).toMatchObject({ through: "code" });
    for (const one of codes) expect(JSON.stringify(events.map(({ detail }) => detail))).not.toContain(one);
  });

  test("an unknown name, another user's code, a wrong one and a disabled account get the same answer", async () => {
    const [one, other] = [await prepared(), await prepared()];
    const refusal = (name: string, code: string) =>
      recoverWith(name, code).catch(({ status, code, message, field }) => ({ status, code, message, field }));
    const answers = [
      await refusal(newUsername(), one.code),
      await refusal(other.user.username, one.code),
      await refusal(one.user.username, "0000-0000-0000-0000-0000-0000"),
      await refusal((await makeUser()).username, ""),
      await refusal(one.user.username, one.code + " ".repeat(80)),
      await refusal(one.user.username, "A".repeat(60_000)),
      await refusal(one.user.username, "x".repeat(100_000)),
    ];
    await setDisabled(one.user.username, { disabled: true });
    answers.push(await refusal(one.user.username, one.code));
    expect(answers[0]).toMatchObject({ status: 401, code: "wrong_code", field: "code" });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await setDisabled(one.user.username, { disabled: false });
    await recoverWith(one.user.username, one.code);
  });

  test("a wrong one takes the same statements, whether the name has codes, none, or is nobody's", async () => {
    const [one, disabled] = [await prepared(), await prepared()];
    await setDisabled(disabled.user.username, { disabled: true });
    const names = [one.user.username, disabled.user.username, (await makeUser()).username, newUsername()];
    const sent: string[][] = [];
    for (const name of names)
      sent.push(
        await statementsOf(async () => expect(await codeOf(recoverWith(name, newRecoveryCode()))).toBe("wrong_code")),
      );
    for (const one of sent) expect(one).toEqual(sent[0]);
  });

  test("new ones take the password, and end the former ones; a refused password uses none up", async () => {
    const user = await createUser({ username: newUsername(), password: OLD });
    const here = await signedIn(user);
    expect(await codeOf(createRecoveryCodes(here, "wrong password", { network: newNetwork() }))).toBe("wrong_password");
    expect(await recoveryOf(user.id)).toEqual({ codes: { left: 0, createdAt: null }, link: null });
    const [former] = await createRecoveryCodes(here, OLD, { network: newNetwork() });
    const [code] = await createRecoveryCodes(here, OLD, { network: newNetwork() });
    expect(await codeOf(recoverWith(user.username, String(former)))).toBe("wrong_code");
    const short = recoverByCode(user.username, String(code), { password: "short", network: newNetwork() });
    expect(await codeOf(short)).toBe("invalid_parameter");
    await recoverWith(user.username, String(code));
  });

  test("of two uses at the same time, one wins", async () => {
    for (let round = 0; round < sized(2, 30); round++) {
      const { user, code } = await prepared();
      const passwords = [NEW, `${NEW} 2`];
      const uses = passwords.map((one) =>
        codeOf(recoverByCode(user.username, code, { password: one, network: newNetwork() })),
      );
      const codes = await Promise.all(uses);
      expect([...codes].sort()).toEqual(["ok", "wrong_code"]);
      const won = String(passwords[codes.indexOf("ok")]);
      expect(await authenticate(user.username, won, { network: newNetwork() })).toMatchObject({ id: user.id });
    }
  });

  test("are tried ten times for a name and a network, fifty times for many names; elsewhere all is open", async () => {
    const { user, code } = await prepared();
    const guess = async (nameOf: (n: number) => string, network = newNetwork()) => {
      const codes: Record<string, number> = {};
      for (let n = 0; n < 60; n++) {
        const refused = await codeOf(recoverByCode(nameOf(n), `${n}`.padStart(24, "0"), { password: NEW, network }));
        codes[refused] = (codes[refused] ?? 0) + 1;
      }
      return codes;
    };
    const network = newNetwork();
    expect(await guess(() => user.username, network)).toEqual({ wrong_code: 10, rate_limited: 50 });
    expect(await codeOf(recoverByCode(user.username, code, { password: NEW, network }))).toBe("rate_limited");
    expect(await guess((n) => `guess${n}`)).toEqual({ wrong_code: 50, rate_limited: 10 });
    await recoverWith(user.username, code);
  });
});

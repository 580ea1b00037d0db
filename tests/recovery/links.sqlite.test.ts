import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { revealToken } from "@/lib/accounts/identity/token";
import { openSession, sessionUser } from "@/lib/accounts/session/sessions";
import { changePassword, setPassword } from "@/lib/accounts/ways-in/change-password";
import { createUser } from "@/lib/accounts/ways-in/create";
import { acceptInvitation, createInvitation, findInvitation, type Invited } from "@/lib/accounts/ways-in/invitations";
import { findAddressToVerify } from "@/lib/accounts/ways-in/mail/addresses";
import { sweepOneTimeLinks } from "@/lib/accounts/ways-in/one-time-link";
import { createRecoveryLink, findRecoveryLink } from "@/lib/accounts/ways-in/recovery/links";
import { authenticate } from "@/lib/accounts/ways-in/sign-in";
import { OPERATOR } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { DAY_MS, later } from "@/lib/platform/time";
import { newNetwork } from "@/tests/support/request";
import { codeOf } from "@/tests/support/statements";
import { makeUser, newUsername, signedIn } from "@/tests/support/user";
import { recoverByLink, secretOf } from "./recover-by";

const { NEXTAUTH_URL, ALLOW_SIGNUP } = env;
beforeAll(() => void Object.assign(env, { NEXTAUTH_URL: "https://keys.example", ALLOW_SIGNUP: false }));
afterAll(() => void Object.assign(env, { NEXTAUTH_URL, ALLOW_SIGNUP }));

const OLD = "correct horse battery";
const NEW = "another horse battery";
const linkFor = async (username: string, now = new Date()) =>
  secretOf((await createRecoveryLink(username, { actorId: OPERATOR, now })).link);
const recover = (secret: string, alsoToken = false, now = new Date()) =>
  recoverByLink(secret, { password: NEW, token: alsoToken, network: newNetwork(), now });

describe("a recovery link", () => {
  test("sets a new password once, signs out everywhere, keeps the token, and is in the history", async () => {
    const user = await createUser({ username: newUsername(), password: OLD });
    const session = await openSession(user, { userAgent: "", network: "" });
    const made = await createRecoveryLink(user.username.toUpperCase());
    expect(made.link).toMatch(/^https:\/\/keys\.example\/recover\/link#[\w-]{43}$/);
    const secret = secretOf(made.link);
    const network = newNetwork();
    expect(await findRecoveryLink(secret, { network })).toEqual({
      id: user.id,
      username: user.username,
      through: "link",
    });
    expect(await authenticate(user.username, OLD, { network })).toMatchObject({ id: user.id });

    expect(await recoverByLink(secret, { password: NEW, network })).toMatchObject({ username: user.username });
    expect(await authenticate(user.username, NEW, { network: newNetwork() })).toMatchObject({ id: user.id });
    expect(await codeOf(authenticate(user.username, OLD, { network: newNetwork() }))).toBe("wrong_password");
    expect(await sessionUser(String(session))).toBeNull();
    expect(await revealToken(user.id)).toBe(user.token);
    expect(await codeOf(recover(secret))).toBe("bad_link");

    const events = await db.auditEvent.findMany({ where: { subjectId: user.id }, orderBy: { id: "asc" } });
    expect(events.slice(2).map(({ action, actorId, detail }) => [action, actorId, JSON.parse(detail)])).toEqual([
      ["recovery.link", "operator", { user: user.username }],
      ["recovery.use", user.id, { through: "link", set: "password", network: network.id }],
    ]);
    expect(JSON.stringify(events.map(({ detail }) => detail))).not.toContain(secret);
  });

  test("is not used up by a refused password or a look at it; it may set a first one, and a new token", async () => {
    const user = await makeUser();
    const secret = await linkFor(user.username);
    expect(await codeOf(recoverByLink(secret, { password: "short", network: newNetwork() }))).toBe("invalid_parameter");
    for (let n = 0; n < 3; n++) await findRecoveryLink(secret, { network: newNetwork() });
    await recover(secret, true);
    expect(await authenticate(user.username, NEW, { network: newNetwork() })).toMatchObject({ id: user.id });
    expect(await revealToken(user.id)).not.toBe(user.token);
  });

  test("ends after 24 hours, with another one, and when the password is changed", async () => {
    const user = await makeUser();
    const now = new Date();
    const first = await linkFor(user.username, now);
    expect(await findRecoveryLink(first, { network: newNetwork(), now: later(now, DAY_MS - 1) })).toMatchObject({
      id: user.id,
    });
    expect(await codeOf(findRecoveryLink(first, { network: newNetwork(), now: later(now, DAY_MS) }))).toBe("bad_link");
    expect(await codeOf(recover(first, false, later(now, DAY_MS)))).toBe("bad_link");

    await linkFor(user.username, now);
    expect(await codeOf(recover(first))).toBe("bad_link");

    await setPassword(user.username, OLD);
    const third = await linkFor(user.username);
    await changePassword(await signedIn(user), { current: OLD, next: NEW }, { network: newNetwork() });
    expect(await codeOf(recover(third))).toBe("bad_link");
  });

  test("leaves a disabled account as it is, even if it were still there", async () => {
    const user = await makeUser();
    const secret = await linkFor(user.username);
    await db.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } });
    expect(await codeOf(findRecoveryLink(secret, { network: newNetwork() }))).toBe("bad_link");
    expect(await codeOf(recover(secret))).toBe("bad_link");
  });

  test("of two uses at the same time, one wins", async () => {
    for (let round = 0; round < 2; round++) {
      const user = await makeUser();
      const secret = await linkFor(user.username);
      const passwords = [NEW, OLD];
      const codes = await Promise.all(
        passwords.map((one) => codeOf(recoverByLink(secret, { password: one, network: newNetwork() }))),
      );
      expect([...codes].sort()).toEqual(["bad_link", "ok"]);
      const won = String(passwords[codes.indexOf("ok")]);
      expect(await authenticate(user.username, won, { network: newNetwork() })).toMatchObject({ id: user.id });
    }
  });

  test.each([
    ["to recover", findRecoveryLink],
    ["to an invitation", findInvitation],
    ["to verify an address", findAddressToVerify],
  ])("%s may be tried fifty times in ten minutes by a network", async (_, find) => {
    const network = newNetwork();
    const codes: string[] = [];
    for (let n = 0; n < 60; n++) codes.push(await codeOf(find(`${n}`.padStart(43, "A"), { network })));
    expect(codes).toEqual([...Array(50).fill("bad_link"), ...Array(10).fill("rate_limited")]);
  });

  test("that is right may be looked at as often as one likes, until a network has guessed too often", async () => {
    const user = await makeUser();
    const secret = await linkFor(user.username);
    const network = newNetwork();
    for (let n = 0; n < 60; n++) await findRecoveryLink(secret, { network });
    for (let n = 0; n < 50; n++) await codeOf(findRecoveryLink("wrong", { network }));
    expect(await codeOf(findRecoveryLink(secret, { network }))).toBe("rate_limited");
    expect(await findRecoveryLink(secret, { network: newNetwork() })).toMatchObject({ id: user.id });
  });

  test("is swept once its time is over, and not before", async () => {
    const [user, open] = [await makeUser(), await makeUser()];
    await linkFor(user.username, later(new Date(), -DAY_MS));
    const good = await linkFor(open.username);
    await sweepOneTimeLinks();
    expect(await db.recoveryLink.count({ where: { userId: { in: [user.id, open.id] } } })).toBe(1);
    await recover(good);
  });
});

describe("an invitation", () => {
  const invite = async (invited: Partial<Invited> = {}, now = new Date()) =>
    secretOf((await createInvitation({ username: null, role: "user", ...invited }, { actorId: OPERATOR, now })).link);
  const accept = (secret: string, typed = newUsername(), now = new Date()) =>
    acceptInvitation(secret, { username: typed, password: OLD }, { network: newNetwork(), now });

  test("opens one account, with the name that its user chooses, while sign-up is closed", async () => {
    const made = await createInvitation({ username: null, role: "user" });
    expect(made.link).toMatch(/^https:\/\/keys\.example\/invite#[\w-]{43}$/);
    const secret = secretOf(made.link);
    expect(await findInvitation(secret, { network: newNetwork() })).toMatchObject({ username: null, role: "user" });
    const username = newUsername();
    expect(await accept(secret, username)).toBe(username);
    expect(await authenticate(username, OLD, { network: newNetwork() })).toMatchObject({ username });
    expect(await codeOf(accept(secret))).toBe("bad_link");
  });

  test("may bring a name and a role, and says so in the history", async () => {
    const username = newUsername();
    const secret = await invite({ username, role: "admin" });
    const { id } = await findInvitation(secret, { network: newNetwork() });
    expect(await accept(secret, "ignored")).toBe(username);
    const user = await db.user.findUniqueOrThrow({ where: { usernameKey: username } });
    expect(user.role).toBe("admin");
    const events = await db.auditEvent.findMany({ where: { subjectId: id }, orderBy: { id: "asc" } });
    expect(events.map(({ action, actorId, detail }) => [action, actorId, JSON.parse(detail)])).toEqual([
      ["invitation.create", "operator", { user: username, role: "admin" }],
      ["invitation.use", user.id, { role: "admin" }],
    ]);
  });

  test("is not used up by a name that was taken meanwhile, or is no name", async () => {
    const [chosen, username] = [await invite(), newUsername()];
    await createUser({ username });
    expect(await codeOf(accept(chosen, username))).toBe("username_taken");
    expect(await codeOf(accept(chosen, "no good name"))).toBe("invalid_parameter");
    await accept(chosen);

    const given = newUsername();
    const secret = await invite({ username: given });
    await createUser({ username: given });
    await expect(accept(secret)).rejects.toThrow(`The username ${given} has been taken in the meantime.`);
    await findInvitation(secret, { network: newNetwork() });
    expect(await codeOf(createInvitation({ username: given, role: "user" }))).toBe("username_taken");
    expect(await codeOf(createInvitation({ username: "no good name", role: "user" }))).toBe("invalid_parameter");
  });

  test("ends after 24 hours, and with another one for the same name; without names they stand alone", async () => {
    const username = newUsername();
    const now = new Date();
    const first = await invite({ username }, now);
    expect(await codeOf(accept(first, "", later(now, DAY_MS)))).toBe("bad_link");
    const second = await invite({ username: username.toUpperCase() });
    expect(await codeOf(accept(first))).toBe("bad_link");
    expect(await accept(second)).toBe(username.toUpperCase());
    const both = [await invite(), await invite()];
    for (const secret of both) await accept(secret);
  });

  test("of two uses at the same time, one wins, with a name or without", async () => {
    for (let round = 0; round < 2; round++) {
      const username = round % 2 === 0 ? null : newUsername();
      const secret = await invite({ username });
      const codes = await Promise.all([newUsername(), newUsername()].map((typed) => codeOf(accept(secret, typed))));
      expect(codes.sort()).toEqual(["bad_link", "ok"]);
    }
  });

  test("is one of a thousand; expired ones do not count, and a sweep deletes them", async () => {
    await db.invitation.deleteMany();
    const row = { role: "user", createdAt: new Date() };
    const rows = (count: number, expiresAt: Date) =>
      Array.from({ length: count }, () => ({ ...row, id: newId(), hash: newId(), expiresAt }));
    try {
      await db.invitation.createMany({ data: rows(999, new Date(Date.now() + DAY_MS)) });
      await db.invitation.createMany({ data: rows(600, new Date(Date.now() - 1)) });
      await invite();
      expect(await codeOf(createInvitation({ username: null, role: "user" }))).toBe("invitation_limit");
      expect(await sweepOneTimeLinks()).toBeGreaterThanOrEqual(600);
      expect(await db.invitation.count()).toBe(1_000);
    } finally {
      await db.invitation.deleteMany();
    }
  });
});

import { describe, expect, test } from "vitest";
import { findTokenCaller } from "@/lib/accounts/identity/access-tokens/use";
import { findCaller } from "@/lib/accounts/identity/token";
import { openSession, sessionUser } from "@/lib/accounts/session/sessions";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { acceptInvitation } from "@/lib/accounts/ways-in/invitations";
import { authenticate } from "@/lib/accounts/ways-in/sign-in";
import { auditTrail } from "@/lib/platform/audit";
import { hashToken } from "@/lib/platform/crypto/tokens";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { recoverByLink } from "@/tests/recovery/recover-by";
import { newNetwork } from "@/tests/support/request";
import { codeOf } from "@/tests/support/statements";
import { newUsername } from "@/tests/support/user";
import { answer, lines, makeOperatorsUser, refusal } from "./command";

const PASSWORD = "correct horse battery";

test("the token is shown, and rotated only when told to", async () => {
  const { username, token } = await makeOperatorsUser();
  expect(await answer("user:token", username)).toEqual({ username, token });
  const rotated = await answer("user:token", username, "--rotate");
  expect(rotated.token).not.toBe(token);
  expect(await codeOf(findCaller(hashToken(token)))).toBe("invalid_token");
  expect(await findCaller(hashToken(String(rotated.token)))).toMatchObject({ username });
});

test("a user gets a role, is disabled and enabled, and the trail says that the operator did it", async () => {
  const { id, username, token } = await makeOperatorsUser();
  expect(await answer("user:role", username, "admin")).toEqual({ username, role: "admin" });
  expect(await findCaller(hashToken(token))).toMatchObject({ role: "admin" });
  expect(await answer("user:disable", username)).toEqual({ username, disabled: true });
  expect(await codeOf(findCaller(hashToken(token)))).toBe("account_disabled");
  expect(await answer("user:enable", username)).toEqual({ username, disabled: false });
  expect(await findCaller(hashToken(token))).toMatchObject({ username });
  for (const options of [[], ["--rotate"]]) await answer("user:token", username, ...options);
  const told = (await auditTrail({ subjectId: id }, 100)).reverse();
  const actions = ["user.create", "user.role", "user.disable", "user.enable", "token.reveal", "token.rotate"];
  expect(told.map(({ action, actor, actorId }) => [action, actor, actorId])).toEqual(
    actions.map((action) => [action, "operator", "operator"]),
  );
});

test("passkeys are listed and removed, the last only while a link is open", async () => {
  const { id: userId, username } = await makeOperatorsUser();
  const id = newId();
  const row = { id, userId, credentialId: newId(), host: "localhost", publicKey: Buffer.from("key"), counter: 0n };
  await db.passkey.create({ data: { ...row, transports: "", name: "Lost phone", createdAt: new Date() } });
  expect(await answer("user:passkeys", username.toUpperCase())).toEqual({
    passkey: id,
    name: "Lost phone",
    host: "localhost",
    createdAt: expect.any(String),
    usedAt: null,
  });
  const remove = ["user:passkeys", username, "--remove", id];
  expect(await refusal(...remove)).toMatch(/^This is the user's only way to sign in/);
  const link = { hash: newId(), createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000) };
  await db.recoveryLink.create({ data: { userId, ...link } });
  expect(await answer(...remove)).toEqual({ username, removed: "Lost phone" });
  expect(await lines("user:passkeys", username)).toEqual([]);
  expect(await refusal(...remove)).toMatch(/^There is no such passkey/);
  const event = { action: "passkey.remove", actor: "operator", subject: userId };
  expect(await answer("audit", "--limit", "1")).toMatchObject(event);
});

test("the browsers where a user is signed in are listed, and ended", async () => {
  const user = await makeOperatorsUser();
  const sessionId = String(await openSession(user, { userAgent: "curl/8.5.0", network: "198.51.100.7" }));
  const listed = await answer("user:sessions", user.username);
  expect(listed).toMatchObject({ network: "198.51.100.7", userAgent: "curl/8.5.0" });
  expect(JSON.stringify(listed)).not.toContain(sessionId);
  expect(await answer("user:sessions", user.username, "--end")).toEqual({ username: user.username, signedOut: true });
  expect(await sessionUser(sessionId)).toBeNull();
  expect(await lines("user:sessions", user.username)).toEqual([]);
});

test("tokens of a user's programs are created, listed and revoked, and mistakes explained", async () => {
  const { username } = await makeOperatorsUser();
  const created = await answer(
    "token:create",
    username,
    "Nightly backup",
    ...["--access", "read", "--days", "30", "--audience", "play.example"],
  );
  const token = String(created.token);
  expect(created).toMatchObject({ name: "Nightly backup", access: "read", token: expect.stringMatching(/^lkt_/) });
  expect(await findTokenCaller(token)).toMatchObject({
    username,
    accessToken: { access: "read", audiences: ["play.example"] },
  });

  const listed = await answer("token:list", username.toUpperCase());
  expect(listed).toMatchObject({ name: "Nightly backup", access: "read", state: "works", usedAt: null });
  expect(JSON.stringify(listed)).not.toContain(token);
  expect(await answer("token:revoke", username, "nightly BACKUP")).toEqual({ username, revoked: "Nightly backup" });
  expect(await codeOf(findTokenCaller(token))).toBe("invalid_token");
  expect(await lines("token:list", username)).toEqual([]);

  for (const [sent, sentence] of [
    [["token:create", username, "Tool", "--access", "all"], /Allowed choices are identity, read, everything/],
    [["token:create", username, "Tool", "--days", "0"], /The days must be a whole number from 1 to 36500\./],
    [["token:revoke", username, "Tool"], /^There is no such token/],
  ] as const)
    expect(await refusal(...sent)).toMatch(sentence);
});

describe("links", () => {
  /** With the service's address, and without one. */
  const at = async <T>(address: string | undefined, work: () => Promise<T>): Promise<T> => {
    env.NEXTAUTH_URL = address;
    return work().finally(() => {
      env.NEXTAUTH_URL = undefined;
    });
  };
  const HERE = "https://keys.example";

  async function made(...sent: string[]) {
    const { link, expiresAt, ...other } = await at(HERE, () => answer(...sent));
    const hours = (Date.parse(String(expiresAt)) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    return { ...other, link: String(link), secret: new URL(String(link)).hash.slice(1) };
  }

  test("set a new password", async () => {
    const { username } = await makeOperatorsUser();
    const { link, secret, ...other } = await made("user:recover", username.toUpperCase());
    expect(other).toEqual({ username });
    expect(link).toBe(`${HERE}/recover/link#${secret}`);
    await recoverByLink(secret, { password: PASSWORD, network: newNetwork() });
    expect(await authenticate(username, PASSWORD, { network: newNetwork() })).toMatchObject({ username });
    expect(JSON.stringify(await db.auditEvent.findMany())).not.toContain(secret);
  });

  test("invite, with a name and a role or without", async () => {
    const username = newUsername();
    const { link, secret, ...other } = await made("user:invite", username, "--role", "admin");
    expect(other).toEqual({ username, role: "admin" });
    expect(link).toBe(`${HERE}/invite#${secret}`);
    expect(await acceptInvitation(secret, { username: "", password: PASSWORD }, { network: newNetwork() })).toBe(
      username,
    );
    expect(await made("user:invite")).toMatchObject({ username: null, role: "user" });
  });

  test("that cannot be made are refused with the reason", async () => {
    const [{ username }, disabled] = [await makeOperatorsUser(), await makeOperatorsUser()];
    await setDisabled(disabled.username, { disabled: true });
    for (const [sent, address, sentence] of [
      [["user:recover", username], undefined, /^NEXTAUTH_URL must be set to create links here/],
      [["user:invite"], undefined, /^NEXTAUTH_URL must be set to create links here/],
      [["user:recover", newUsername()], HERE, /^There is no user with this name/],
      [["user:recover", disabled.username], HERE, /^This account is disabled/],
      [["user:invite", username], HERE, /^The username .+ is taken/],
      [["user:invite", "no good name"], HERE, /^A username has 3 to 20 characters/],
      [["user:invite", "--role", "root"], HERE, /Allowed choices are admin, user/],
    ] as const)
      expect(await at(address, () => refusal(...sent))).toMatch(sentence);
  });
});

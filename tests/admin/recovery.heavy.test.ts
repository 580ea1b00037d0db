import { describe, expect, test } from "vitest";
import { authenticate } from "@/lib/auth/authenticate";
import { openSession, sessionUser } from "@/lib/auth/sessions";
import { setDisabled } from "@/lib/auth/standing";
import { db } from "@/lib/db/client";
import { acceptInvitation } from "@/lib/recovery/invitations";
import { recoverByLink } from "@/tests/recovery/recover-by";
import { newNetwork } from "@/tests/support/network";
import { newUsername } from "@/tests/support/user";
import { admin, makeOperatorsUser } from "./command";

const PASSWORD = "correct horse battery";
const HERE = { NEXTAUTH_URL: "https://keys.example" };

async function made(...sent: string[]) {
  const { status, stdout, stderr } = await admin(sent, null, HERE);
  expect([status, stderr]).toEqual([0, ""]);
  const { link, expiresAt, ...other } = JSON.parse(stdout) as Record<string, string>;
  const hours = (Date.parse(String(expiresAt)) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  return { ...other, link: String(link), secret: new URL(String(link)).hash.slice(1) };
}

describe.concurrent("the admin command", () => {
  test("makes a link with which a user sets a new password", async () => {
    const { username } = await makeOperatorsUser();
    const { link, secret, ...other } = await made("user:recover", username.toUpperCase());
    expect(other).toEqual({ username });
    expect(link).toBe(`https://keys.example/recover/link#${secret}`);
    await recoverByLink(secret, PASSWORD, false, newNetwork());
    expect(await authenticate(username, PASSWORD, newNetwork())).toMatchObject({ username });
    expect(JSON.stringify(await db.auditEvent.findMany())).not.toContain(secret);
  });

  test("makes invitations, with a name and a role or without", async () => {
    const username = newUsername();
    const { link, secret, ...other } = await made("user:invite", username, "--role", "admin");
    expect(other).toEqual({ username, role: "admin" });
    expect(link).toBe(`https://keys.example/invite#${secret}`);
    expect(await acceptInvitation(secret, "", PASSWORD, newNetwork())).toBe(username);
    expect(await made("user:invite")).toMatchObject({ username: null, role: "user" });
  });

  test("lists the browsers where a user is signed in, and ends them", async () => {
    const user = await makeOperatorsUser();
    const sessionId = String(await openSession(user, { userAgent: "curl/8.5.0", network: "198.51.100.7" }));
    const { stdout } = await admin(["user:sessions", user.username]);
    expect(JSON.parse(stdout)).toMatchObject({ network: "198.51.100.7", userAgent: "curl/8.5.0" });
    expect(stdout).not.toContain(sessionId);
    const ended = await admin(["user:sessions", user.username, "--end"]);
    expect(JSON.parse(ended.stdout)).toEqual({ username: user.username, signedOut: true });
    expect(await sessionUser(sessionId)).toBeNull();
    expect((await admin(["user:sessions", user.username])).stdout).toBe("");
  });

  test("says why a link cannot be made", async () => {
    const { username } = await makeOperatorsUser();
    const disabled = await makeOperatorsUser();
    await setDisabled(disabled.username, true);
    for (const [sent, environment, status, sentence] of [
      [["user:recover", username], {}, 1, /^NEXTAUTH_URL must be set to make links/],
      [["user:invite"], {}, 1, /^NEXTAUTH_URL must be set to make links/],
      [["user:recover", newUsername()], HERE, 1, /^There is no user with this name/],
      [["user:recover", disabled.username], HERE, 1, /^This account is disabled/],
      [["user:invite", username], HERE, 1, /^The username .+ is taken/],
      [["user:invite", "no good name"], HERE, 2, /^A username has 3 to 20 characters/],
      [["user:invite", "--role", "root"], HERE, 2, /Allowed choices are admin, user/],
    ] as const) {
      const ended = await admin([...sent], null, environment);
      expect([ended.status, ended.stdout, ended.stderr]).toEqual([status, "", expect.stringMatching(sentence)]);
    }
  });
});

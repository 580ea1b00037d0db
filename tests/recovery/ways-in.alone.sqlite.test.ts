import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { openSession, sessionUser } from "@/lib/accounts/session/sessions";
import { setPassword } from "@/lib/accounts/ways-in/change-password";
import { createUser } from "@/lib/accounts/ways-in/create";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { acceptInvitation, createInvitation, findInvitation } from "@/lib/accounts/ways-in/invitations";
import { authOptions } from "@/lib/accounts/ways-in/next-auth";
import { newChallenge } from "@/lib/accounts/ways-in/passkeys/challenge";
import { createRecoveryCodes } from "@/lib/accounts/ways-in/recovery/codes";
import { createRecoveryLink } from "@/lib/accounts/ways-in/recovery/links";
import { findProven } from "@/lib/accounts/ways-in/recovery/recover";
import { authenticateWithPasskey } from "@/lib/accounts/ways-in/sign-in";
import { signUp } from "@/lib/accounts/ways-in/sign-up";
import { rotateSecrets } from "@/lib/operator/rotate";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { deleteAccount } from "@/lib/user-data/delete";
import { tables } from "@/prisma/generated/tables";
import { addedPasskey, createPasskey, party } from "@/tests/support/authenticator";
import { newNetwork } from "@/tests/support/request";
import { sized } from "@/tests/support/size";
import { codeOf } from "@/tests/support/statements";
import { newUsername } from "@/tests/support/user";
import { recoverByCode, recoverByLink, secretOf } from "./recover-by";

vi.hoisted(() => {
  process.env.NEXTAUTH_URL = "http://localhost:3000";
});

const ROUNDS = sized(5, 40);
const PASSWORD = "correct horse battery";

async function newOwner() {
  const user = await createUser({ username: newUsername(), password: PASSWORD });
  const sessionId = String(await openSession(user, { userAgent: "", network: "" }));
  const key = await addedPasskey(user);
  const codes = await createRecoveryCodes({ ...user, sessionId }, PASSWORD, { network: newNetwork() });
  const secret = secretOf((await createRecoveryLink(user.username)).link);
  return { ...user, sessionId, key, code: String(codes[0]), codes, secret };
}
type Owner = Awaited<ReturnType<typeof newOwner>>;

const tryCode = (username: string, code: string) =>
  codeOf(findProven({ through: "code", username, code }, { network: newNetwork() }));
const tryLink = (secret: string) => codeOf(findProven({ through: "link", secret }, { network: newNetwork() }));

const challengeIn = (browser: string) => newChallenge({ purpose: "sign in", browser, subject: "" });
const tryPasskey = (key: Owner["key"], browser = newId(), challenge = challengeIn(browser)) =>
  codeOf(authenticateWithPasskey(key.get(challenge), { party, browser, network: newNetwork() }));

const waysIn = async ({ username, code, secret, key, sessionId }: Owner) => ({
  code: await tryCode(username, code),
  link: await tryLink(secret),
  passkey: await tryPasskey(key),
  session: (await sessionUser(sessionId)) !== null,
});
const ALL = { code: "ok", link: "ok", passkey: "ok", session: true };

async function stolenTexts(): Promise<string[]> {
  const texts = new Set<string>();
  for (const { name, columns } of tables)
    for (const row of await db.$queryRawUnsafe<Record<string, unknown>[]>(`SELECT * FROM "${name}"`))
      for (const column of columns) {
        const value = row[column.name];
        if (value instanceof Uint8Array)
          for (const as of ["hex", "base64url", "utf8"] as const) texts.add(Buffer.from(value).toString(as));
        else if (value !== null && value !== undefined) texts.add(String(value));
      }
  return [...texts].filter((text) => text !== "");
}

test("a stolen database has and opens no recovery code, link, invitation, challenge or session", async () => {
  const { username, key, code, codes, secret: link, token } = await newOwner();
  const browser = newId();
  const [used, open] = [challengeIn(browser), challengeIn(browser)];
  expect(await tryPasskey(key, browser, used)).toBe("ok");
  const invitation = secretOf((await createInvitation({ username: null, role: "admin" })).link);
  const texts = await stolenTexts();
  const hashed = createHash("sha256").update(link).digest("hex");
  expect(texts, "the search finds what is there").toContain(hashed);
  for (const text of texts)
    for (const secret of [used, open, ...codes, link, invitation, token, PASSWORD])
      for (const form of [secret, secret.replaceAll("-", "")]) expect(text).not.toContain(form);

  const { secret, jwt } = authOptions("http://127.0.0.1");
  const opened: string[] = [];
  for (const text of texts) {
    const tries = {
      code: await tryCode(username, text),
      link: await tryLink(text),
      invitation: await codeOf(findInvitation(text, { network: newNetwork() })),
      challenge: await tryPasskey(key, browser, text),
      session: await Promise.resolve(jwt?.decode?.({ token: text, secret: String(secret) }))
        .then((session) => session && "ok")
        .catch(() => "refused"),
    };
    for (const [kind, refused] of Object.entries(tries)) if (refused === "ok") opened.push(`${kind}: ${text}`);
  }
  expect(opened).toEqual([]);
  expect(texts.length).toBeGreaterThan(50);
  expect(await tryCode(username, code)).toBe("ok");
});

describe("every way in", () => {
  test("is closed to a disabled account; afterwards links and sessions stay ended", async () => {
    const owner = await newOwner();
    expect(await waysIn(owner)).toEqual(ALL);
    await setDisabled(owner.username, { disabled: true });
    const closed = { code: "wrong_code", link: "bad_link", passkey: "account_disabled", session: false };
    expect(await waysIn(owner)).toEqual(closed);
    expect(await codeOf(createRecoveryLink(owner.username))).toBe("account_disabled");
    await setDisabled(owner.username, { disabled: false });
    expect(await waysIn(owner)).toEqual({ ...ALL, link: "bad_link", session: false });
  });

  test("goes with a deleted account, and a name that was deleted gets no link, invitation or account", async () => {
    const owner = await newOwner();
    await deleteAccount(owner, { username: owner.username, password: PASSWORD }, { network: newNetwork() });
    const gone = { code: "wrong_code", link: "bad_link", passkey: "passkey_unknown", session: false };
    expect(await waysIn(owner)).toEqual(gone);
    const where = { where: { userId: owner.id } };
    for (const rows of [db.recoveryCode.count(where), db.recoveryLink.count(where), db.passkey.count(where)])
      expect(await rows).toBe(0);
    expect(await codeOf(createRecoveryLink(owner.username))).toBe("user_not_found");
    expect(await codeOf(createInvitation({ username: owner.username, role: "user" }))).toBe("username_taken");
    const open = secretOf((await createInvitation({ username: null, role: "user" })).link);
    expect(
      await codeOf(acceptInvitation(open, { username: owner.username, password: PASSWORD }, { network: newNetwork() })),
    ).toBe("username_taken");
  });

  test("outlives a rotation of the secrets; an operator's new password ends link and session only", async () => {
    const owner = await newOwner();
    await rotateSecrets(false, () => {});
    expect(await waysIn(owner)).toEqual(ALL);
    await setPassword(owner.username, PASSWORD);
    expect(await waysIn(owner)).toEqual({ ...ALL, link: "bad_link", session: false });
  });

  test("is ended by a recovery: by a link all codes, which may be somebody else's, by a code only itself", async () => {
    const owner = await newOwner();
    await recoverByCode(owner.username, owner.code, { password: PASSWORD, network: newNetwork() });
    expect(await db.recoveryCode.count({ where: { userId: owner.id } })).toBe(9);
    const secret = secretOf((await createRecoveryLink(owner.username)).link);
    await recoverByLink(secret, { password: PASSWORD, network: newNetwork() });
    expect(await db.recoveryCode.count({ where: { userId: owner.id } })).toBe(0);
  });
});

test("of an invitation and a sign-up for one name at the same time, one gets it", async () => {
  let hashingMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const username = newUsername();
    const secret = secretOf((await createInvitation({ username, role: "admin" })).link);
    const { passkey } = await createPasskey("anybody", "sign up");
    const started = performance.now();
    const accepting = codeOf(acceptInvitation(secret, { username: "", password: PASSWORD }, { network: newNetwork() }));
    // At any moment of the other, which hashes a password first.
    await sleep((round / (ROUNDS - 1)) * hashingMs);
    const wanted = { username: username.toUpperCase(), passkey: { ...passkey, userId: newId() } };
    const signedUp = await codeOf(signUp(wanted, { network: newNetwork() }));
    const invited = await accepting;
    hashingMs = performance.now() - started;
    expect([invited, signedUp].sort()).toEqual(["ok", "username_taken"]);
    const { role } = await db.user.findUniqueOrThrow({ where: { usernameKey: username } });
    expect(role, "only the invitation brings the role").toBe(invited === "ok" ? "admin" : "user");
    expect(await db.invitation.count({ where: { usernameKey: username } })).toBe(invited === "ok" ? 0 : 1);
  }
});

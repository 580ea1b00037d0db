import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isReservedName } from "@/lib/accounts/identity/reserved-names";
import { cookieAt } from "@/lib/accounts/session/session-cookie";
import {
  endOtherSessions,
  endSession,
  isOpenedElsewhere,
  openSession,
  sessionUser,
} from "@/lib/accounts/session/sessions";
import { changePassword } from "@/lib/accounts/ways-in/change-password";
import { connectIdentity } from "@/lib/accounts/ways-in/connect";
import { checkUsername, createUser } from "@/lib/accounts/ways-in/create";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { identitiesOf, userOfIdentity } from "@/lib/accounts/ways-in/identities";
import { authenticate } from "@/lib/accounts/ways-in/sign-in";
import { signUp } from "@/lib/accounts/ways-in/sign-up";
import { OPERATOR } from "@/lib/platform/audit";
import { couldBeToken, hashToken, mintAccessToken, mintToken, openToken } from "@/lib/platform/crypto/tokens";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { limiter } from "@/lib/platform/limits/limits";
import { type Network, networkBehind, UNKNOWN } from "@/lib/platform/network/network";
import { newNetwork } from "@/tests/support/request";
import { codeOf } from "@/tests/support/statements";
import { makeUser, newUsername } from "@/tests/support/user";

const PASSWORD = "correct horse battery";
const from = (userAgent: string) => ({ userAgent, network: "198.51.100.7" });

describe("signing up", () => {
  test("is possible 2,000 times a day for a network, however they are spread over it", async () => {
    const network = newNetwork();
    await limiter("sign-ups of a day", 2_000, 86_400).consume(network.id, 1_999);
    const identity = () => ({ provider: "github", accountId: newId() });
    const next = () => codeOf(signUp({ username: newUsername(), identity: identity() }, { network }));
    expect([await next(), await next()]).toEqual(["ok", "rate_limited"]);
  });

  test("of concurrent requests for a name, in any case of its letters, one gets it as it was typed", async () => {
    const username = newUsername().toUpperCase();
    expect(await createUser({ username })).toMatchObject({ username });
    expect(await codeOf(createUser({ username: username.toLowerCase() }))).toBe("username_taken");
    const other = newUsername();
    const outcomes = Array.from({ length: 10 }, (_, n) => (n % 2 ? other : other.toUpperCase()));
    const codes = await Promise.all(outcomes.map((name) => codeOf(createUser({ username: name }))));
    expect(codes.sort()).toEqual(["ok", ...Array(9).fill("username_taken")]);
  });

  test.each(["", "ab", "a".repeat(21), "with space", "ünlaut", "a\nb", "name\n", "<b>bold</b>", "a.b.c"])(
    "the name %j is refused",
    async (username) => {
      expect(await codeOf(createUser({ username }))).toBe("invalid_parameter");
    },
  );

  test.each(["support", "4dm1n", "The_Admin"])(
    "the name %j, which could pass for the service, is refused",
    async (name) => {
      const refused = { code: "invalid_parameter", field: "username" };
      await expect(signUp({ username: name, password: PASSWORD }, { network: newNetwork() })).rejects.toMatchObject(
        refused,
      );
      await expect(checkUsername(name)).rejects.toMatchObject(refused);
      const identity = { provider: "github", accountId: newId() };
      await expect(signUp({ username: name, identity }, { network: newNetwork() })).rejects.toMatchObject(refused);
    },
  );

  test.each([
    "operator admin administrator system root support security latchkey null undefined mine api owner moderator staff",
    "help official everyone anonymous deleted unknown nobody postmaster",
    "Admin ADMIN aDmIn -admin- a_d_m_i_n ad-min admin_ __root__ lat-ch-key",
    "4dm1n adm1n 0perator r00t 5upport suppor7 nu11 nul1 nu1l offic1a1 he1p latchk3y adrnin",
    "admin1 admin007 support-24 root_2026",
    "the_admin latchkey-support support_team admin-team Official_Latchkey the-real-admin system-admin me-admin",
  ])("%s: every one of them is reserved", (names) => {
    expect(names.split(" ").filter((name) => !isReservedName(name))).toEqual([]);
  });

  test.each([
    "adminton badminton administer rooted beetroot supporter systematic nullable miner minecraft apiary rapid owen",
    "moderate stafford helper helena officer annie alice bob_1 u0123456789abcde ada-l mr_root4ever john-admin api_fan",
    "user1 guest_7 team the_team desk myteam unknown_artist security_guy1",
  ])("%s: none of them is reserved", (names) => {
    expect(names.split(" ").filter((name) => isReservedName(name))).toEqual([]);
  });

  test("the operator's own command gives such a name", async () => {
    const username = `support-${Math.floor(Math.random() * 1e9)}`;
    expect(await createUser({ username, password: PASSWORD, createdBy: OPERATOR })).toMatchObject({ username });
    expect(await authenticate(username, PASSWORD, { network: newNetwork() })).toMatchObject({ username });
  });

  test.each(["", "1234567", "a".repeat(201)])("a password of the wrong length is refused (%#)", async (password) => {
    expect(await codeOf(createUser({ username: newUsername(), password }))).toBe("invalid_parameter");
  });
});

describe("signing in", () => {
  test("with the name in any case, and with letters composed in any way", async () => {
    const { id, username } = await createUser({ username: newUsername(), password: "pässwörd" });
    expect(await authenticate(username.toUpperCase(), "pa\u0308sswo\u0308rd", { network: newNetwork() })).toMatchObject(
      {
        id,
        username,
      },
    );
  });

  test("a wrong password, an unknown name and an account without one are refused alike", async () => {
    const { username } = await createUser({ username: newUsername(), password: PASSWORD });
    const { username: without } = await createUser({ username: newUsername() });
    const answers = [username, newUsername(), without].map((name) =>
      authenticate(name, "wrong password", { network: newNetwork() }).catch(
        (error) => `${error.status} ${error.code} ${error.message}`,
      ),
    );
    expect(new Set(await Promise.all(answers)).size).toBe(1);
  });

  test("success forgets the failures before it", async () => {
    const { username } = await createUser({ username: newUsername(), password: PASSWORD });
    const network = newNetwork();
    for (let round = 0; round < 2; round++) {
      for (let guess = 0; guess < 6; guess++) await codeOf(authenticate(username, "wrong password", { network }));
      expect(await codeOf(authenticate(username, PASSWORD, { network }))).toBe("ok");
    }
  });
});

describe("sessions", () => {
  const open = async (id: string, userAgent: string, now?: Date) =>
    String(await openSession({ id }, { ...from(userAgent), now }));
  const signedIn = async <User extends { id: string }>(user: User) => ({
    ...user,
    sessionId: await open(user.id, "a browser"),
  });
  const newOwner = async () => signedIn(await createUser({ username: newUsername(), password: PASSWORD }));

  test("a session names its user until it is ended elsewhere, expires, or the account is disabled", async () => {
    const here = await signedIn(await makeUser());
    const elsewhere = await open(here.id, "another browser");
    expect(await sessionUser(elsewhere)).toMatchObject({ id: here.id });
    // Not by another user, who may know its id.
    await endSession((await makeUser()).id, elsewhere);
    expect(await sessionUser(elsewhere)).not.toBeNull();
    await endOtherSessions(here);
    expect(await sessionUser(elsewhere)).toBeNull();
    expect(await sessionUser(here.sessionId)).toMatchObject({ username: here.username });
    expect(await sessionUser(here.sessionId, new Date(Date.now() + 31 * 24 * 3600 * 1000))).toBeNull();
    await setDisabled(here.username, { disabled: true });
    expect(await sessionUser(here.sessionId)).toBeNull();
    await setDisabled(here.username, { disabled: false });
    expect(await sessionUser(here.sessionId)).toBeNull();
  });

  const behind = (ip: string, proxy = "198.51.100.77") => networkBehind(proxy, [`cf-connecting-ip=${ip}`]);
  const somewhere: Network = { id: "203.0.113.7", kind: "remote" };
  test.each([
    ["the same", somewhere, somewhere, false],
    ["another", somewhere, { ...somewhere, id: "203.0.113.99" }, true],
    ["a proxy that is not known", somewhere, behind(somewhere.id), true],
    ["another edge, and the same client", behind("203.0.113.7"), behind("203.0.113.7", "198.51.100.200"), false],
    ["another client of the same edge", behind("203.0.113.7"), behind("203.0.113.99"), true],
    ["the proxy alone", behind("203.0.113.7"), networkBehind("198.51.100.77"), true],
    ["the same proxy, with something claimed", networkBehind("198.51.100.77"), behind("203.0.113.99"), false],
    ["another proxy", networkBehind("198.51.100.77"), networkBehind("198.51.100.200"), true],
    ["another proxy of the operator", networkBehind("10.0.0.5"), networkBehind("10.0.0.6"), false],
    ["where nobody can tell", somewhere, UNKNOWN, false],
  ])("know whether they were opened on another network: %s", async (_, opened, current, isElsewhere) => {
    const { sessionId } = await signedIn(await makeUser());
    await db.session.update({ where: { id: sessionId }, data: { network: opened.id } });
    expect(await isOpenedElsewhere(sessionId, current)).toBe(isElsewhere);
  });

  test("changing the password signs out everywhere else, and needs the current one", async () => {
    const here = await newOwner();
    const elsewhere = await open(here.id, "another browser");
    const change = (former: string, next: string) =>
      codeOf(changePassword(here, { current: former, next }, { network: newNetwork() }));
    expect(await change("not it at all", "another password")).toBe("wrong_password");
    expect(await change(PASSWORD, "short")).toBe("invalid_parameter");
    expect(await sessionUser(elsewhere)).not.toBeNull();
    await changePassword(here, { current: PASSWORD, next: "another password" }, { network: newNetwork() });
    expect(await sessionUser(elsewhere)).toBeNull();
    expect(await sessionUser(here.sessionId)).not.toBeNull();
    expect(await codeOf(authenticate(here.username, "another password", { network: newNetwork() }))).toBe("ok");
  });

  test("a sign-in with the old password that is still under way opens no session", async () => {
    const here = await newOwner();
    const proven = await authenticate(here.username, PASSWORD, { network: newNetwork() });
    await changePassword(here, { current: PASSWORD, next: "another password" }, { network: newNetwork() });
    expect(await openSession(proven, from("a slow browser"))).toBeNull();
    const anew = await authenticate(here.username, "another password", { network: newNetwork() });
    expect(await openSession(anew, from("a browser"))).not.toBeNull();
    await setDisabled(here.username, { disabled: true });
    expect(await openSession({ id: here.id }, from("through a provider"))).toBeNull();
  });

  test("of two concurrent changes of one password, one succeeds", async () => {
    const here = await newOwner();
    const changes = ["first password", "second password"].map((next) =>
      codeOf(changePassword(here, { current: PASSWORD, next }, { network: newNetwork() })),
    );
    expect((await Promise.all(changes)).sort()).toEqual(["ok", "password_changed"]);
  });
});

test("an account at a provider signs in one user only", async () => {
  const [first, second] = [await makeUser(), await makeUser()];
  const identity = { provider: "oidc", accountId: newId() };
  expect(await userOfIdentity(identity)).toBeNull();
  await connectIdentity(first.id, identity);
  await connectIdentity(first.id, identity);
  expect(await codeOf(connectIdentity(second.id, identity))).toBe("identity_taken");
  expect(await userOfIdentity(identity)).toMatchObject({ id: first.id });
  expect(await identitiesOf(first.id)).toEqual([identity]);
  expect(await codeOf(createUser({ username: newUsername(), identity }))).toBe("identity_taken");
});

describe("a token", () => {
  test("has 256 random bits, is looked up by a keyed hash, and handed out by opening its sealed form", () => {
    const id = newId();
    const minted = Array.from({ length: 1_000 }, () => mintToken(id));
    for (const { token, stored } of minted) {
      expect(couldBeToken(token)).toBe(true);
      expect(hashToken(token)).toBe(stored.tokenHash);
      expect(stored.tokenHash).toMatch(/^[0-9a-f]{64}$/);
      expect(openToken(stored.tokenSealed, id)).toBe(token);
    }
    expect(new Set(minted.map(({ token }) => token)).size).toBe(1_000);
    expect(new Set(minted.map(({ stored }) => stored.tokenSealed.slice(0, 16))).size).toBe(1_000);
  });

  test("is stored in no readable form, which opens for its own user only, and with no bit changed", () => {
    const { token, stored } = mintToken("alice");
    const sealed = Buffer.from(stored.tokenSealed, "base64");
    for (const text of [JSON.stringify(stored), sealed.toString("latin1")]) expect(text).not.toContain(token.slice(3));
    expect(() => openToken(stored.tokenSealed, "bob")).toThrow();
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => openToken(changed.toString("base64"), "alice")).toThrow();
    }
  });

  test("ends in the CRC-32 of the rest in base 62, by which scanners recognise it", () => {
    const digits = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
    for (const token of [mintToken(newId()).token, mintAccessToken().token]) {
      const [, rest = "", checksum = ""] = /^(lkt?_[\w-]{43})([A-Za-z0-9]{6})$/.exec(token) ?? [];
      expect([...checksum].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)).toBe(crc32(rest));
      expect(couldBeToken(token)).toBe(true);
      expect(couldBeToken(rest)).toBe(true);
    }
  });

  test.each([
    "",
    "lk_",
    "lk_short",
    `lk_${"a".repeat(42)}`,
    `lk_${"a".repeat(44)}`,
    `lk_${"a".repeat(48)}-`,
    `lk_${"a".repeat(50)}`,
    `LK_${"a".repeat(43)}`,
    `lk_${"a".repeat(42)}=`,
    `lk_${"a".repeat(42)}\n`,
  ])("is nothing like %j", (text) => {
    expect(couldBeToken(text)).toBe(false);
  });
});

describe("a cookie", () => {
  const name = (origin: string, path?: string) => cookieAt(origin, "session-token", path).name;

  test("has the name of one address: services on other ports of the host have others", () => {
    const here = name("http://keys.example.org:3000");
    expect(here).toMatch(/^latchkey-[0-9a-f]{8}\.session-token$/);
    expect(name("http://keys.example.org:3000")).toBe(here);
    for (const other of ["http://keys.example.org:3001", "http://keys.example.org", "https://keys.example.org:3000"])
      expect(name(other)).not.toContain(here);
  });

  test("over https has the browser's own promise of where it was set in its name", () => {
    expect(name("https://keys.example.org")).toMatch(/^__Host-/);
    expect(name("https://keys.example.org", "/link")).toMatch(/^__Secure-/);
    const { options } = cookieAt("https://keys.example.org", "session-token");
    expect(options).toEqual({ httpOnly: true, sameSite: "lax", secure: true, path: "/" });
  });
});

import { describe, expect, test } from "vitest";
import { OPERATOR } from "@/lib/audit";
import { authenticate, changePassword } from "@/lib/auth/authenticate";
import { findCaller } from "@/lib/auth/caller";
import { connectIdentity, identitiesOf, userOfIdentity } from "@/lib/auth/identities";
import { revealToken, rotateToken } from "@/lib/auth/rotate-token";
import { endOtherSessions, openSession, sessionUser, sweepSessions } from "@/lib/auth/sessions";
import { setDisabled, setRole } from "@/lib/auth/standing";
import { checkUsername, createUser, setPassword, signUp } from "@/lib/auth/users";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { limiter } from "@/lib/limits";
import type { Network } from "@/lib/network";
import { hashToken } from "@/lib/tokens";
import { newUsername } from "../support/user";

const PASSWORD = "correct horse battery";
const from = (userAgent: string) => ({ userAgent, network: "198.51.100.7" });
const somewhere = (): Network => ({ kind: "remote", id: newId() });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error) => error.code,
  );

describe("signing up", () => {
  test("gives a token that is the user's, now and whenever it is shown", async () => {
    const user = await signUp({ username: newUsername(), password: PASSWORD }, somewhere());
    expect(await findCaller(hashToken(user.token))).toMatchObject({ id: user.id, role: "user" });
    expect(await revealToken(user.id)).toBe(user.token);
  });

  test("is possible 2,000 times a day for a network, however they are spread over it", async () => {
    const network = somewhere();
    await limiter("sign-ups of a day", 2_000, 86_400).take(network.id, 1_999);
    const next = () => refusal(signUp({ username: newUsername(), password: PASSWORD }, network));
    expect([await next(), await next()]).toEqual(["answered", "rate_limited"]);
  });

  test("a name is taken in any case of its letters, and keeps the case it was typed in", async () => {
    const username = newUsername().toUpperCase();
    const user = await createUser({ username });
    expect(user.username).toBe(username);
    expect(await refusal(createUser({ username: username.toLowerCase() }))).toBe("username_taken");
  });

  test("of many concurrent requests for one name, one gets it", async () => {
    const username = newUsername();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => refusal(createUser({ username }))));
    expect(outcomes.sort()).toEqual(["answered", ...Array(9).fill("username_taken")]);
  });

  test.each(["", "ab", "a".repeat(21), "with space", "ünlaut", "a\nb", "name\n", "<b>bold</b>", "a.b.c"])(
    "the name %j is refused",
    async (username) => {
      expect(await refusal(createUser({ username }))).toBe("invalid_parameter");
    },
  );

  test.each(["support", "4dm1n", "The_Admin"])(
    "the name %j, which could pass for the service, is refused",
    async (name) => {
      const refused = { code: "invalid_parameter", field: "username" };
      await expect(signUp({ username: name, password: PASSWORD }, somewhere())).rejects.toMatchObject(refused);
      await expect(checkUsername(name)).rejects.toMatchObject(refused);
      const identity = { provider: "github", accountId: newId() };
      await expect(signUp({ username: name, identity }, somewhere())).rejects.toMatchObject(refused);
    },
  );

  test("the operator's own command gives such a name", async () => {
    const username = `support-${Math.floor(Math.random() * 1e9)}`;
    expect(await createUser({ username, password: PASSWORD, madeBy: OPERATOR })).toMatchObject({ username });
    expect(await authenticate(username, PASSWORD, somewhere())).toMatchObject({ username });
  });

  test.each(["", "1234567", "a".repeat(201)])("a password of the wrong length is refused (%#)", async (password) => {
    expect(await refusal(createUser({ username: newUsername(), password }))).toBe("invalid_parameter");
  });
});

describe("signing in", () => {
  test("with the name in any case, and with letters composed in any way", async () => {
    const { id, username } = await createUser({ username: newUsername(), password: "pässwörd" });
    expect(await authenticate(username.toUpperCase(), "pa\u0308sswo\u0308rd", somewhere())).toMatchObject({
      id,
      username,
    });
  });

  test("a wrong password, an unknown name and an account without one are refused alike", async () => {
    const { username } = await createUser({ username: newUsername(), password: PASSWORD });
    const { username: without } = await createUser({ username: newUsername() });
    const answers = [username, newUsername(), without].map((name) =>
      authenticate(name, "wrong password", somewhere()).catch(
        (error) => `${error.status} ${error.code} ${error.message}`,
      ),
    );
    expect(new Set(await Promise.all(answers)).size).toBe(1);
  });

  test(
    "ten failures from one network close that network's door to the account, to the right password too, " +
      "and no other door",
    async () => {
      const { username } = await createUser({ username: newUsername(), password: PASSWORD });
      const network = somewhere();
      const guesses = await Promise.all(
        Array.from({ length: env.FAILED_PASSWORDS_PER_10_MINUTES + 5 }, () =>
          refusal(authenticate(username, "wrong password", network)),
        ),
      );
      expect(guesses.filter((code) => code === "wrong_password")).toHaveLength(env.FAILED_PASSWORDS_PER_10_MINUTES);
      expect(guesses.filter((code) => code === "rate_limited")).toHaveLength(5);
      expect(await refusal(authenticate(username, PASSWORD, network))).toBe("rate_limited");
      expect(await refusal(authenticate(username, PASSWORD, somewhere()))).toBe("answered");
    },
  );

  test("success forgets the failures before it", async () => {
    const { username } = await createUser({ username: newUsername(), password: PASSWORD });
    const network = somewhere();
    for (let round = 0; round < 3; round++) {
      for (let guess = 0; guess < 6; guess++) await refusal(authenticate(username, "wrong password", network));
      expect(await refusal(authenticate(username, PASSWORD, network))).toBe("answered");
    }
  });
});

describe("sessions", () => {
  const open = async (id: string, userAgent: string, now?: Date) => {
    const sessionId = await openSession({ id }, from(userAgent), now);
    if (sessionId === null) throw new Error("no session was opened");
    return sessionId;
  };
  const signedIn = async () => {
    const user = await createUser({ username: newUsername(), password: PASSWORD });
    return { ...user, sessionId: await open(user.id, "a browser") };
  };

  test("a session names its user until it is ended elsewhere, expires, or the account is disabled", async () => {
    const here = await signedIn();
    const elsewhere = await open(here.id, "another browser");
    expect(await sessionUser(elsewhere)).toMatchObject({ id: here.id });
    await endOtherSessions(here);
    expect(await sessionUser(elsewhere)).toBeNull();
    expect(await sessionUser(here.sessionId)).toMatchObject({ username: here.username });
    expect(await sessionUser(here.sessionId, new Date(Date.now() + 31 * 24 * 3600 * 1000))).toBeNull();
    await setDisabled(here.username, true);
    expect(await sessionUser(here.sessionId)).toBeNull();
    await setDisabled(here.username, false);
    expect(await sessionUser(here.sessionId)).toBeNull();
  });

  test("changing the password signs out everywhere else, and needs the current one", async () => {
    const here = await signedIn();
    const elsewhere = await open(here.id, "another browser");
    expect(await refusal(changePassword(here, "not it at all", "another password", somewhere()))).toBe(
      "wrong_password",
    );
    expect(await refusal(changePassword(here, PASSWORD, "short", somewhere()))).toBe("invalid_parameter");
    expect(await sessionUser(elsewhere)).not.toBeNull();
    await changePassword(here, PASSWORD, "another password", somewhere());
    expect(await sessionUser(elsewhere)).toBeNull();
    expect(await sessionUser(here.sessionId)).not.toBeNull();
    expect(await refusal(authenticate(here.username, "another password", somewhere()))).toBe("answered");
  });

  test("a sign-in with the old password that is still under way opens no session", async () => {
    const here = await signedIn();
    const proven = await authenticate(here.username, PASSWORD, somewhere());
    await changePassword(here, PASSWORD, "another password", somewhere());
    expect(await openSession(proven, from("a slow browser"))).toBeNull();
    expect(
      await openSession(await authenticate(here.username, "another password", somewhere()), from("a browser")),
    ).not.toBeNull();
    await setDisabled(here.username, true);
    expect(await openSession({ id: here.id }, from("through a provider"))).toBeNull();
  });

  test("of two concurrent changes of one password, one succeeds", async () => {
    const here = await signedIn();
    const changes = ["first password", "second password"].map((next) =>
      refusal(changePassword(here, PASSWORD, next, somewhere())),
    );
    expect((await Promise.all(changes)).sort()).toEqual(["answered", "password_changed"]);
  });

  test("setting the password as an administrator signs out everywhere", async () => {
    const here = await signedIn();
    await setPassword(here.username, "another password");
    expect(await sessionUser(here.sessionId)).toBeNull();
    expect(await refusal(setPassword(newUsername(), PASSWORD))).toBe("user_not_found");
  });

  test("expired rows are swept, others stay", async () => {
    const here = await signedIn();
    const old = await open(here.id, "long ago", new Date(Date.now() - 40 * 24 * 3600 * 1000));
    await sweepSessions();
    expect(await db.session.findMany({ where: { userId: here.id }, select: { id: true } })).toEqual([
      { id: here.sessionId },
    ]);
    expect(await sessionUser(old)).toBeNull();
  });
});

describe("tokens and roles", () => {
  test("rotating stops the old token at once and is written down", async () => {
    const user = await createUser({ username: newUsername() });
    const token = await rotateToken(user.id);
    expect(token).not.toBe(user.token);
    expect(await refusal(findCaller(hashToken(user.token)))).toBe("invalid_token");
    expect(await findCaller(hashToken(token))).toMatchObject({ id: user.id });
    expect(await db.auditEvent.count({ where: { subjectId: user.id, action: "token.rotate" } })).toBe(1);
  });

  test("a disabled account's token is refused until it is enabled again", async () => {
    const user = await createUser({ username: newUsername() });
    await setDisabled(user.username.toUpperCase(), true);
    expect(await refusal(findCaller(hashToken(user.token)))).toBe("account_disabled");
    await setDisabled(user.username, false);
    await setRole(user.username, "admin");
    expect(await findCaller(hashToken(user.token))).toMatchObject({ role: "admin" });
  });
});

describe("providers", () => {
  test("an account at a provider signs in one user only", async () => {
    const [first, second] = await Promise.all([
      createUser({ username: newUsername() }),
      createUser({ username: newUsername() }),
    ]);
    const identity = { provider: "oidc", accountId: newId() };
    expect(await userOfIdentity(identity)).toBeNull();
    await connectIdentity(first.id, identity);
    await connectIdentity(first.id, identity);
    expect(await refusal(connectIdentity(second.id, identity))).toBe("identity_taken");
    expect(await userOfIdentity(identity)).toMatchObject({ id: first.id });
    expect(await identitiesOf(first.id)).toEqual([identity]);
    expect(await refusal(createUser({ username: newUsername(), identity }))).toBe("identity_taken");
  });
});

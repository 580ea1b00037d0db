import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { OPERATOR } from "@/lib/audit";
import { authenticate, changePassword } from "@/lib/auth/authenticate";
import { revealToken } from "@/lib/auth/rotate-token";
import { openSession, sessionUser } from "@/lib/auth/sessions";
import { setDisabled } from "@/lib/auth/standing";
import { createUser, setPassword } from "@/lib/auth/users";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { createRecoveryLink, findRecoveryLink } from "@/lib/recovery/recovery-links";
import { sweepOneTimeLinks } from "@/lib/recovery/sweep";
import { newNetwork } from "@/tests/support/network";
import { newUsername } from "@/tests/support/user";
import { recoverByLink } from "./recover-by";
import { codeOf, DAY_MS, secretOf } from "./refused";

vi.hoisted(() => {
  process.env.NEXTAUTH_URL = "https://keys.example";
});

const OLD = "correct horse battery";
const NEW = "another horse battery";
const newUser = () => createUser({ username: newUsername(), password: OLD });
const linkFor = async (username: string, now = new Date()) =>
  secretOf((await createRecoveryLink(username, OPERATOR, now)).link);
const recover = (secret: string, alsoToken = false, now = new Date()) =>
  recoverByLink(secret, NEW, alsoToken, newNetwork(), now);

test("a link sets a new password once, signs out everywhere, keeps the token, and is in the history", async () => {
  const user = await newUser();
  const session = await openSession(user, { userAgent: "", network: "" });
  const made = await createRecoveryLink(user.username.toUpperCase());
  expect(made.link).toMatch(/^https:\/\/keys\.example\/recover\/link#[\w-]{43}$/);
  const secret = secretOf(made.link);
  const network = newNetwork();
  expect(await findRecoveryLink(secret, network)).toEqual({ id: user.id, username: user.username, through: "link" });
  expect(await authenticate(user.username, OLD, network)).toMatchObject({ id: user.id });

  expect(await recoverByLink(secret, NEW, false, network)).toMatchObject({ username: user.username });
  expect(await authenticate(user.username, NEW, newNetwork())).toMatchObject({ id: user.id });
  expect(await codeOf(authenticate(user.username, OLD, newNetwork()))).toBe("wrong_password");
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

test("the token is replaced if the user asks for it", async () => {
  const user = await newUser();
  await recover(await linkFor(user.username), true);
  expect(await revealToken(user.id)).not.toBe(user.token);
});

test("a password that is refused does not use the link up, nor does looking at it", async () => {
  const user = await newUser();
  const secret = await linkFor(user.username);
  expect(await codeOf(recoverByLink(secret, "short", false, newNetwork()))).toBe("invalid_parameter");
  for (let n = 0; n < 3; n++) await findRecoveryLink(secret, newNetwork());
  await recover(secret);
});

test("it ends after 24 hours, with another one, and when the password is changed or the account disabled", async () => {
  const user = await newUser();
  const now = new Date();
  const later = (ms: number) => new Date(now.getTime() + ms);
  const first = await linkFor(user.username, now);
  expect(await findRecoveryLink(first, newNetwork(), later(DAY_MS - 1))).toMatchObject({ id: user.id });
  expect(await codeOf(findRecoveryLink(first, newNetwork(), later(DAY_MS)))).toBe("bad_link");
  expect(await codeOf(recover(first, false, later(DAY_MS)))).toBe("bad_link");

  const second = await linkFor(user.username, now);
  expect(await codeOf(recover(first))).toBe("bad_link");
  await setPassword(user.username, OLD);
  expect(await codeOf(recover(second))).toBe("bad_link");

  const third = await linkFor(user.username);
  const sessionId = String(await openSession(user, { userAgent: "", network: "" }));
  await changePassword({ ...user, sessionId }, OLD, NEW, newNetwork());
  expect(await codeOf(recover(third))).toBe("bad_link");

  const fourth = await linkFor(user.username);
  await setDisabled(user.username, true);
  expect(await codeOf(createRecoveryLink(user.username))).toBe("account_disabled");
  await setDisabled(user.username, false);
  expect(await codeOf(recover(fourth))).toBe("bad_link");
});

test("a disabled account stays as it is, even if its link were still there", async () => {
  const user = await newUser();
  const secret = await linkFor(user.username);
  await db.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } });
  expect(await codeOf(findRecoveryLink(secret, newNetwork()))).toBe("bad_link");
  expect(await codeOf(recover(secret))).toBe("bad_link");
});

test("an account without a password gets its first one", async () => {
  const user = await createUser({ username: newUsername() });
  await recover(await linkFor(user.username));
  expect(await authenticate(user.username, NEW, newNetwork())).toMatchObject({ id: user.id });
});

test("of two uses at the same time, one wins", async () => {
  for (let round = 0; round < 50; round++) {
    const user = await createUser({ username: newUsername() });
    const secret = await linkFor(user.username);
    const passwords = [NEW, OLD];
    const network = newNetwork();
    const codes = await Promise.all(passwords.map((one) => codeOf(recoverByLink(secret, one, false, network))));
    expect([...codes].sort()).toEqual(["bad_link", "ok"]);
    const won = String(passwords[codes.indexOf("ok")]);
    expect(await authenticate(user.username, won, newNetwork())).toMatchObject({ id: user.id });
  }
});

test("a network may try fifty times in ten minutes, with the right link as often as it likes", async () => {
  const user = await newUser();
  const secret = await linkFor(user.username);
  const network = newNetwork();
  for (let n = 0; n < 60; n++) await findRecoveryLink(secret, network);
  const codes: Record<string, number> = {};
  for (let n = 0; n < 10_000; n++) {
    const code = await codeOf(findRecoveryLink(`${n}`.padStart(43, "A"), network));
    codes[code] = (codes[code] ?? 0) + 1;
  }
  expect(codes).toEqual({ bad_link: 50, rate_limited: 10_000 - 50 });
  expect(await codeOf(findRecoveryLink(secret, network))).toBe("rate_limited");
  expect(await findRecoveryLink(secret, newNetwork())).toMatchObject({ id: user.id });
});

test("a stolen database gives no link, and the links in a sweep go with their time", async () => {
  const user = await newUser();
  const secret = await linkFor(user.username, new Date(Date.now() - DAY_MS));
  const rows = JSON.stringify(await db.recoveryLink.findMany());
  expect(rows).not.toContain(secret);
  expect(rows).toContain(createHash("sha256").update(secret).digest("hex"));
  const open = await newUser();
  const good = await linkFor(open.username);
  await sweepOneTimeLinks();
  expect(await db.recoveryLink.count({ where: { userId: { in: [user.id, open.id] } } })).toBe(1);
  await recover(good);
});

test("without the service's address in NEXTAUTH_URL, none is made", async () => {
  const user = await newUser();
  env.NEXTAUTH_URL = undefined;
  try {
    await expect(createRecoveryLink(user.username)).rejects.toThrow(/^NEXTAUTH_URL must be set/);
    expect(await db.recoveryLink.count({ where: { userId: user.id } })).toBe(0);
  } finally {
    env.NEXTAUTH_URL = "https://keys.example";
  }
});

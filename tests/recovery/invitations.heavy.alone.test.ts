import { expect, test, vi } from "vitest";
import { OPERATOR } from "@/lib/audit";
import { authenticate } from "@/lib/auth/authenticate";
import { createUser } from "@/lib/auth/users";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import { acceptInvitation, createInvitation, findInvitation, type Invited } from "@/lib/recovery/invitations";
import { sweepOneTimeLinks } from "@/lib/recovery/sweep";
import { newNetwork } from "@/tests/support/network";
import { newUsername } from "@/tests/support/user";
import { codeOf, DAY_MS, secretOf } from "./refused";

vi.hoisted(() => {
  process.env.NEXTAUTH_URL = "https://keys.example";
  process.env.ALLOW_SIGNUP = "false";
});

const PASSWORD = "correct horse battery";
const invite = async (invited: Partial<Invited> = {}, now = new Date()) =>
  secretOf((await createInvitation({ username: null, role: "user", ...invited }, OPERATOR, now)).link);
const accept = (secret: string, typed = newUsername(), now = new Date()) =>
  acceptInvitation(secret, typed, PASSWORD, newNetwork(), now);

test("an invitation opens one account, with the name that its user chooses, while sign-up is closed", async () => {
  const made = await createInvitation({ username: null, role: "user" });
  expect(made.link).toMatch(/^https:\/\/keys\.example\/invite#[\w-]{43}$/);
  const secret = secretOf(made.link);
  expect(await findInvitation(secret, newNetwork())).toMatchObject({ username: null, role: "user" });
  const username = newUsername();
  expect(await accept(secret, username)).toBe(username);
  expect(await authenticate(username, PASSWORD, newNetwork())).toMatchObject({ username });
  expect(await codeOf(accept(secret))).toBe("bad_link");
});

test("it may bring a name and a role, and says so in the history", async () => {
  const username = newUsername();
  const secret = await invite({ username, role: "admin" });
  const { id } = await findInvitation(secret, newNetwork());
  expect(await accept(secret, "ignored")).toBe(username);
  const user = await db.user.findUniqueOrThrow({ where: { usernameKey: username } });
  expect(user.role).toBe("admin");
  const events = await db.auditEvent.findMany({ where: { subjectId: id }, orderBy: { id: "asc" } });
  expect(events.map(({ action, actorId, detail }) => [action, actorId, JSON.parse(detail)])).toEqual([
    ["invitation.create", "operator", { user: username, role: "admin" }],
    ["invitation.use", user.id, { role: "admin" }],
  ]);
});

test("a name that was taken meanwhile is an error, and the invitation can still be used", async () => {
  const [chosen, username] = [await invite(), newUsername()];
  await createUser({ username });
  expect(await codeOf(accept(chosen, username))).toBe("username_taken");
  expect(await codeOf(accept(chosen, "no good name"))).toBe("invalid_parameter");
  await accept(chosen);

  const given = newUsername();
  const secret = await invite({ username: given });
  await createUser({ username: given });
  await expect(accept(secret)).rejects.toThrow(`The username ${given} has been taken meanwhile.`);
  await findInvitation(secret, newNetwork());
  expect(await codeOf(createInvitation({ username: given, role: "user" }))).toBe("username_taken");
  expect(await codeOf(createInvitation({ username: "no good name", role: "user" }))).toBe("invalid_parameter");
});

test("it ends after 24 hours, and with another one for the same name; without names they stand alone", async () => {
  const username = newUsername();
  const now = new Date();
  const first = await invite({ username }, now);
  expect(await codeOf(accept(first, "", new Date(now.getTime() + DAY_MS)))).toBe("bad_link");
  const second = await invite({ username: username.toUpperCase() });
  expect(await codeOf(accept(first))).toBe("bad_link");
  expect(await accept(second)).toBe(username.toUpperCase());
  const both = [await invite(), await invite()];
  for (const secret of both) await accept(secret);
});

test("of two uses at the same time, one wins, with a name or without", async () => {
  for (let round = 0; round < 50; round++) {
    const username = round % 2 === 0 ? null : newUsername();
    const secret = await invite({ username });
    const codes = await Promise.all([newUsername(), newUsername()].map((typed) => codeOf(accept(secret, typed))));
    expect(codes.sort()).toEqual(["bad_link", "ok"]);
  }
});

test("a thousand may be open; expired ones do not count, and a sweep deletes them", async () => {
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

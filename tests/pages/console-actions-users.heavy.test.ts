import { beforeAll, describe, expect, test } from "vitest";
import { createToken } from "@/lib/access-tokens/create";
import { auditTrail } from "@/lib/audit";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import { callAction } from "@/tests/support/call-action";
import { origin } from "@/tests/support/http";
import { newUsername } from "@/tests/support/user";
import { DONE, type Session, signedInAs } from "./action-caller";
import { letProofsPass } from "./confirming";

const ADDRESS = `marked-${newId()}@example.org`;
let target: Session & { sessionId: string; tokenId: string; secrets: string[] };
let guest: string;
beforeAll(async () => {
  const user = await signedInAs("user");
  const { sessionId, tokenId, secret } = await waysInOf(user.id);
  const stored = await db.user.findUniqueOrThrow({ where: { id: user.id } });
  const secrets = [secret, stored.tokenHash, stored.tokenSealed, String(stored.passwordHash), ADDRESS];
  target = { ...user, sessionId, tokenId, secrets };
  guest = newUsername();
});

async function waysInOf(userId: string) {
  const session = await db.session.findFirstOrThrow({ where: { userId } });
  const { id, token } = await createToken(userId, "Tool", { access: "read", days: null });
  const now = new Date();
  await db.emailAddress.create({ data: { userId, address: ADDRESS, verifiedAt: now } });
  await db.passkey.create({ data: passkey("passkey", userId, now) });
  return { sessionId: session.id, tokenId: id, secret: token };
}

const passkey = (name: string, userId: string, now: Date) => ({
  id: `${name}${userId}`.slice(0, 32),
  userId,
  credentialId: `${name} ${userId}`,
  host: "localhost",
  publicKey: Buffer.from(`marked key ${userId}`),
  counter: 0n,
  transports: "",
  name,
  createdAt: now,
});

/** Every action of the page, in an order in which each succeeds. */
const actions = (): [name: string, args: unknown[], what: string][] => [
  ["changeRole", [target.username, "admin"], "user.role"],
  ["changeRole", [target.username, "user"], "user.role"],
  ["changeQuotas", [target.username, { keys: 3, entries: null }], "user.quota"],
  ["linkToRecover", [target.username], "recovery.link"],
  ["invite", [guest, "user"], "invitation.create"],
  ["endSessionOf", [target.username, target.sessionId], "user.signout"],
  ["endSessionsOf", [target.username], "user.signout"],
  ["removeTokenOf", [target.username, target.tokenId], "token.revoke"],
  ["removePasskeyOf", [target.username, passkey("passkey", target.id, new Date()).id], "passkey.remove"],
  ["removeAddressOf", [target.username], "email.remove"],
  ["setAccess", [[target.username], true], "user.disable"],
  ["setAccess", [[target.username], false], "user.enable"],
  ["deleteUser", [target.username, target.username], "user.delete"],
];

async function callAll(cookie: string | undefined, from = origin): Promise<string[]> {
  const told: string[] = [];
  for (const [name, args] of actions()) {
    const answer = await callAction(origin, "/admin/users", name, args, { cookie, from });
    told.push(answer.status === 200 ? answer.text : "");
  }
  return told;
}

const actionsOf = () => [...new Set(actions().map(([, , what]) => what))].sort();

async function expectUnchanged(): Promise<void> {
  const { id } = target;
  const user = await db.user.findUniqueOrThrow({ where: { id } });
  expect(user).toMatchObject({ role: "user", disabledAt: null, deletingAt: null, mostKeys: null });
  const counts = await Promise.all([
    db.session.count({ where: { userId: id } }),
    db.accessToken.count({ where: { userId: id } }),
    db.passkey.count({ where: { userId: id } }),
    db.emailAddress.count({ where: { userId: id } }),
    db.recoveryLink.count({ where: { userId: id } }),
    db.invitation.count({ where: { username: guest } }),
  ]);
  expect(counts).toEqual([1, 1, 1, 1, 0, 0]);
}

describe("the actions of users are refused", () => {
  test("to nobody in particular", async () => {
    for (const text of await callAll(undefined)) expect(text).toContain("signed out");
    await expectUnchanged();
  });

  test("to a user, and to a former admin with an open page; both are in the trail", async () => {
    const [user, former] = [await signedInAs("user"), await signedInAs("admin")];
    await db.user.update({ where: { id: former.id }, data: { role: "user" } });
    for (const { id, cookie } of [user, former]) {
      for (const text of await callAll(cookie)) expect(text).toContain("There is nothing at this address");
      const refused = (await auditTrail({ actorId: id, action: "console.refuse" }, 50)).map(
        ({ detail }) => detail.what,
      );
      expect([...new Set(refused)].sort()).toEqual(actionsOf());
    }
    await expectUnchanged();
  });

  test("to a disabled admin, to one whose proof is old, and from another origin", async () => {
    const disabled = await signedInAs("admin");
    await db.user.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } });
    for (const text of await callAll(disabled.cookie)) expect(text).not.toContain('"ok"');
    const old = await signedInAs("admin");
    await letProofsPass(old.username);
    for (const text of await callAll(old.cookie)) expect(text).toContain('"proof"');
    const abroad = await signedInAs("admin");
    for (const text of await callAll(abroad.cookie, "http://elsewhere.example")) expect(text).not.toContain('"ok"');
    await expectUnchanged();
  });

  test("for the admin's own account, where it would lock them out", async () => {
    const admin = await signedInAs("admin");
    const call = async (name: string, args: unknown[]) =>
      (await callAction(origin, "/admin/users", name, args, { cookie: admin.cookie })).text;
    expect(await call("setAccess", [[admin.username], true])).toContain("your own account");
    expect(await call("deleteUser", [admin.username, admin.username])).toContain("your own account");
    expect(await call("deleteUser", [target.username, "someone"])).toContain("That isn't the username");
    for (const bad of [{ keys: -1 }, { keys: "many" }, { keys: 1e300 }, { more: 1 }])
      expect(await call("changeQuotas", [target.username, bad])).toContain('"error"');
    await expectUnchanged();
  });
});

test("an admin may do all of them, each is in the trail with the admin, and none tells a secret", async () => {
  const admin = await signedInAs("admin");
  await db.passkey.create({ data: passkey("other", target.id, new Date()) });
  const pageOf = async () =>
    (
      await fetch(`${origin}/admin/users?user=${target.username}`, {
        headers: { Accept: "text/html", Cookie: admin.cookie },
      })
    ).text();
  const sent = [await pageOf()];
  expect(sent[0]).toContain(target.username);
  for (const [name, args] of actions()) {
    const { status, text } = await callAction(origin, "/admin/users", name, args, { cookie: admin.cookie });
    expect(status, name).toBe(200);
    expect(text, name).toMatch(DONE);
    expect(text, name).not.toMatch(/"refused":"/);
    sent.push(text);
  }
  const events = await auditTrail({ actorId: admin.id }, 50);
  for (const action of actionsOf()) expect(events.map((event) => event.action)).toContain(action);
  expect(await db.user.count({ where: { id: target.id } })).toBe(0);
  sent.push(JSON.stringify(events));
  for (const secret of target.secrets) for (const text of sent) expect(text.includes(secret)).toBe(false);
});

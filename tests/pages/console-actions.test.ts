import { expect, test } from "vitest";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { createCode } from "@/lib/link/create";
import { auditTrail } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { blockedNetworks } from "@/lib/platform/network/block";
import { addedPasskey } from "@/tests/support/authenticator";
import { callAction } from "@/tests/support/call-action";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { newUsername } from "@/tests/support/user";
import { letProofsPass, type Session, signedInAs } from "./confirming";
import { newKey } from "./keys-page";

const network = newNetwork().id;
const guest = newUsername();
const [target, user, admin] = [await signedInAs("user"), await signedInAs("user"), await signedInAs("admin")];
const { id: userId, username } = target;
const session = await db.session.findFirstOrThrow({ where: { userId } });
const token = await createToken(userId, { name: "Tool", access: "read", days: null });
const keyId = await newKey(target);
const link = await createCode({ network: newNetwork(), program: "curl/8", webPage: null });
await db.emailAddress.create({ data: { userId, address: `${guest}@example.org`, verifiedAt: new Date() } });
await addedPasskey(target);
const { id: passkeyId } = await db.passkey.findFirstOrThrow({ where: { userId } });

/** The actions that change something, in an order in which each succeeds, and what the trail says of them. */
const ACTIONS: [page: string, name: string, args: unknown[], what: string][] = [
  ["/admin/keys", "addHolderAsAdmin", [{ keyId, username: user.username }, newId()], "key.add"],
  ["/admin/keys", "revokeHolderAsAdmin", [{ keyId, username: user.username }], "key.revoke"],
  ["/admin/links", "endCode", [link.id], "link.end"],
  ["/admin/links", "refuseNetwork", [{ network, time: "1h", reason: "for a test" }], "network.block"],
  ["/admin/links", "admitNetwork", [network], "network.unblock"],
  ["/admin/keys", "deleteKeyAsAdmin", [keyId, newId()], "key.delete"],
  ["/admin/users", "changeRole", [{ username, role: "admin" }], "user.role"],
  ["/admin/users", "changeRole", [{ username, role: "user" }], "user.role"],
  ["/admin/users", "changeQuotas", [{ username, change: { keys: "3", entries: "" } }], "user.quota"],
  ["/admin/users", "linkToRecover", [username], "recovery.link"],
  ["/admin/users", "invite", [{ username: guest, role: "user" }], "invitation.create"],
  ["/admin/users", "endSessionOf", [{ username, sessionId: session.id }], "user.signout"],
  ["/admin/users", "endSessionsOf", [username], "user.signout"],
  ["/admin/users", "removeTokenOf", [{ username, id: token.id }], "token.revoke"],
  ["/admin/users", "removePasskeyOf", [{ username, id: passkeyId }], "passkey.remove"],
  ["/admin/users", "removeAddressOf", [username], "email.remove"],
  ["/admin/users", "disable", [[username]], "user.disable"],
  ["/admin/users", "enable", [[username]], "user.enable"],
  ["/admin/users", "deleteUser", [{ username, confirmation: username }], "user.delete"],
];

/** How an action's answer begins if it did what it was asked to. */
const DONE = /^1:\{("ok":.*)?\}$/m;
const EVENTS = [...new Set(ACTIONS.map(([, , , what]) => what))].sort();
const call = (page: string, name: string, args: unknown[], { cookie }: Session, more = {}) =>
  callAction(origin, page, name, args, { cookie, ...more });

/** What each action answers, in the text that its page's script reads. */
async function callAll(cookie: string): Promise<string[]> {
  const told: string[] = [];
  for (const [page, name, args] of ACTIONS) told.push((await callAction(origin, page, name, args, { cookie })).text);
  return told;
}

async function expectUnchanged(): Promise<void> {
  const unchanged = { role: "user", disabledAt: null, deletingAt: null, mostKeys: null };
  expect(await db.user.findUniqueOrThrow({ where: { id: userId } })).toMatchObject(unchanged);
  const theirs = { where: { userId } };
  const counts = await Promise.all([
    db.session.count(theirs),
    db.accessToken.count(theirs),
    db.passkey.count(theirs),
    db.emailAddress.count(theirs),
    db.holder.count({ where: { keyId } }),
    db.recoveryLink.count(theirs),
    db.invitation.count({ where: { username: guest } }),
    db.blockedNetwork.count({ where: { network } }),
  ]);
  expect(counts).toEqual([1, 1, 1, 1, 1, 0, 0, 0]);
  expect(await db.linkCode.findUnique({ where: { id: link.id } })).toMatchObject({ status: "pending" });
}

// tests/contract/console.test.ts has everybody else, and pages of another origin.
test("the console's actions are refused to a user, to a former admin and to one whose proof is old", async () => {
  const [former, late] = [await signedInAs("admin"), await signedInAs("admin")];
  await db.user.update({ where: { id: former.id }, data: { role: "user" } });
  await letProofsPass(late.username);
  for (const { id, cookie } of [user, former]) {
    for (const text of await callAll(cookie)) expect(text).toContain("There is nothing at this address");
    const refused = await auditTrail({ actorId: id, action: "console.refuse" }, 50);
    expect([...new Set(refused.map(({ detail }) => detail.what))].sort()).toEqual(EVENTS);
  }
  for (const text of await callAll(late.cookie)) expect(text).toContain('"proof"');
  await expectUnchanged();
});

test("an admin neither deletes the own account nor blocks the own network", async () => {
  const deleting = { username: admin.username, confirmation: admin.username };
  expect((await call("/admin/users", "deleteUser", [deleting], admin)).text).toContain("your own account");
  const own = newNetwork().id;
  const sent = [{ network: own, time: "1d", reason: "" }];
  const { text } = await call("/admin/links", "refuseNetwork", sent, admin, { network: own });
  expect(text).toContain("on this network yourself");
  expect(await db.blockedNetwork.count({ where: { network: own } })).toBe(0);
});

// The links carry a secret: one with somebody else's address would hand it over.
test("the console's links begin with the address that the admin opened, whatever headers say of another", async () => {
  const other = await signedInAs("user");
  const evil = "evil.example";
  const makeLinks = async (sent: object) => [
    (await call("/admin/users", "linkToRecover", [other.username], admin, sent)).text,
    (await call("/admin/users", "invite", [{ username: newUsername(), role: "user" }], admin, sent)).text,
  ];
  const ours = `"link":"${origin}/`;
  for (const text of await makeLinks({})) expect(text).toContain(ours);
  for (const sent of [
    { headers: { "X-Forwarded-Host": evil, "X-Forwarded-Proto": "https" } },
    { headers: { "X-Forwarded-Host": `${evil}, ${evil}` } },
    { headers: { Forwarded: `host=${evil};proto=https`, "X-Original-Host": evil } },
    { origin: `http://${evil}`, from: origin },
    { from: `http://${evil}` },
  ])
    for (const text of await makeLinks(sent)) {
      expect(text, JSON.stringify(sent)).not.toContain(evil);
      expect(text.includes(ours), JSON.stringify(sent)).toBe(DONE.test(text));
    }
});

test("an admin may do all of them, and each is in the trail with the admin", async () => {
  for (const [page, name, args] of ACTIONS) {
    const { status, text } = await call(page, name, args, admin);
    expect(status, name).toBe(200);
    expect(text, name).toMatch(DONE);
    expect(text, name).not.toMatch(/"refused":"/);
    if (name !== "refuseNetwork") continue;
    expect((await blockedNetworks(1_000)).map((one) => one.network)).toContain(network);
  }
  const trail = await auditTrail({ actorId: admin.id }, 100);
  for (const action of EVENTS) expect(trail.map((event) => event.action)).toContain(action);
  expect(await db.user.count({ where: { id: userId } })).toBe(0);
  expect(await db.key.count({ where: { id: keyId } })).toBe(0);
});

const ADDRESSES = [
  ["?range=__proto__&range=year&x=%00", "By <span>hour</span>, in UTC."],
  ["/keys?key=%00x", "There is no key with this id"],
  ["/keys?by=creator&q=nobody-at-all", "There is no user with the name"],
  ["/keys?by=nonsense&q=a&q=b&after=x&page=-1", "All keys, latest first"],
  [`/users?q=${newUsername()}&role=admin`, "No users match."],
  ["/users?q=%25_%27%22&sort=nonsense&order=up&idle=0&role=root&access=1", "<h1"],
  [`/users?after=${"A".repeat(4_000)}&idle=99999`, "<h1"],
  ["/audit?who=a&who=b&before=x&unknown=1", "<table"],
  ["/settings?q=nothing-has-this", "No setting's name or explanation contains this."],
] as const;

test("an address to which nobody links is a page that says what it shows", async () => {
  const headers = { Accept: "text/html", Cookie: admin.cookie };
  for (const [address, words] of ADDRESSES) {
    const { status, text } = await ask(`/admin${address}`, { headers });
    expect([status, text.includes(words)], address).toEqual([200, true]);
  }
});

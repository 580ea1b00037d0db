import { describe, expect, test } from "vitest";
import { createToken } from "@/lib/accounts/access-tokens/create";
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
import { DONE, letProofsPass, type Session, signedInAs } from "./confirming";
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

const EVENTS = [...new Set(ACTIONS.map(([, , , what]) => what))].sort();
const call = (page: string, name: string, args: unknown[], { cookie }: Session, more = {}) =>
  callAction(origin, page, name, args, { cookie, ...more });

/** What each action answers, in the text that its page's script reads. */
async function callAll(cookie: string | undefined, from = origin): Promise<string[]> {
  const told: string[] = [];
  for (const [page, name, args] of ACTIONS)
    told.push((await callAction(origin, page, name, args, { cookie, from })).text);
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

describe("the console's actions are refused", () => {
  test("to nobody in particular", async () => {
    for (const text of await callAll(undefined)) expect(text).toContain("signed out");
    await expectUnchanged();
  });

  test("to a user, and to a former admin with an open page; both are in the trail", async () => {
    const former = await signedInAs("admin");
    await db.user.update({ where: { id: former.id }, data: { role: "user" } });
    for (const { id, cookie } of [user, former]) {
      for (const text of await callAll(cookie)) expect(text).toContain("There is nothing at this address");
      const refused = await auditTrail({ actorId: id, action: "console.refuse" }, 50);
      expect([...new Set(refused.map(({ detail }) => detail.what))].sort()).toEqual(EVENTS);
    }
    await expectUnchanged();
  });

  test("to a disabled admin, to one whose proof is old, and to a page of another origin", async () => {
    const disabled = await signedInAs("admin");
    await db.user.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } });
    for (const text of await callAll(disabled.cookie)) expect(text).not.toMatch(DONE);
    const old = await signedInAs("admin");
    await letProofsPass(old.username);
    for (const text of await callAll(old.cookie)) expect(text).toContain('"proof"');
    for (const text of await callAll(admin.cookie, "http://elsewhere.example")) expect(text).not.toMatch(DONE);
    await expectUnchanged();
  });

  test("for the admin's own account and network, and for arguments that cannot be", async () => {
    const tell = async (name: string, args: unknown[]) => (await call("/admin/users", name, args, admin)).text;
    expect(await tell("deleteUser", [{ username: admin.username, confirmation: admin.username }])).toContain(
      "your own account",
    );
    for (const bad of [{ keys: "-1" }, { keys: "many" }, { keys: "9".repeat(20) }, { keys: 3 }, { more: "1" }])
      expect(await tell("changeQuotas", [{ username, change: bad }])).toContain('"error"');
    const own = newNetwork().id;
    const sent = [{ network: own, time: "1d", reason: "" }];
    const { text } = await call("/admin/links", "refuseNetwork", sent, admin, { network: own });
    expect(text).toContain("on this network yourself");
    expect(await db.blockedNetwork.count({ where: { network: own } })).toBe(0);
    await expectUnchanged();
  });
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
  [`/keys?key=${newId()}`, "There is no key with this id"],
  ["/keys?key=%00x", "There is no key with this id"],
  ["/keys?q=zzzz-nothing", "No key's name begins with"],
  ["/keys?by=creator&q=nobody-at-all", "There is no user with the name"],
  ["/keys?by=nonsense&q=a&q=b&after=x&page=-1", "All keys, latest first"],
  [`/keys?after=${"A".repeat(4_000)}`, "All keys, latest first"],
  [`/users?q=${newUsername()}&role=admin`, "No users match."],
  ["/users?user=%00&user=x", "<h1"],
  ["/users?q=%25_%27%22&sort=nonsense&order=up&idle=0&role=root&access=1", "<h1"],
  [`/users?after=${"A".repeat(4_000)}&idle=99999`, "<h1"],
  ["/users?q=a&q=b&after=bm9uZQ", "<h1"],
  ["/users?sort=keys&order=ascending&idle=36500&password=without", "<h1"],
  ["/audit?network=192.0.2.254&who=operator", "No events match this filter."],
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

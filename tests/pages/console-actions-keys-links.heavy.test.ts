import { beforeAll, describe, expect, test } from "vitest";
import { auditTrail } from "@/lib/audit";
import { unblockNetwork } from "@/lib/blocked-networks/change";
import { blockedNetworks } from "@/lib/blocked-networks/list";
import { db } from "@/lib/db/client";
import { createKey } from "@/lib/keys/create";
import { askForCode } from "@/lib/link/ask";
import { callAction } from "@/tests/support/call-action";
import { origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { newUsername } from "@/tests/support/user";
import { DONE, type Session, signedInAs } from "./action-caller";
import { letProofsPass } from "./confirming";

const SECRET = `marked secret ${newUsername()}`;
let holder: Session;
let keyId: string;
let linkId: string;
const network = newNetwork().id;
const ip = newNetwork();

beforeAll(async () => {
  holder = await signedInAs("user");
  keyId = (await createKey({ ...holder, role: "user" }, { data: SECRET, price: "1", name: "Console" })).id;
  linkId = (await askForCode({ network: ip, program: "curl/8", webPage: null })).id;
});

/** The actions of the two pages, in an order in which each succeeds. */
const actions = (): [page: string, name: string, args: unknown[]][] => [
  ["/admin/keys", "addHolderAsAdmin", [keyId, taker.username]],
  ["/admin/keys", "revokeHolderAsAdmin", [keyId, taker.username]],
  ["/admin/links", "endCode", [linkId]],
  ["/admin/links", "refuseNetwork", [{ network, time: "1h", reason: "for a test" }]],
  ["/admin/links", "admitNetwork", [network]],
  ["/admin/keys", "deleteKeyAsAdmin", [keyId]],
];
let taker: Session;
beforeAll(async () => {
  taker = await signedInAs("user");
});

/** What each action answers, in the text that its page's script reads. */
async function callAll(cookie: string | undefined): Promise<string[]> {
  const told: string[] = [];
  for (const [page, name, args] of actions()) told.push((await callAction(origin, page, name, args, { cookie })).text);
  return told;
}

const refusalsOf = async (id: string) =>
  (await auditTrail({ actorId: id }, 50)).filter(({ action }) => action === "console.refuse");

async function expectUnchanged(): Promise<void> {
  expect(await db.key.count({ where: { id: keyId } })).toBe(1);
  expect(await db.holder.count({ where: { keyId } })).toBe(1);
  expect(await db.blockedNetwork.count({ where: { network } })).toBe(0);
  expect(await db.linkCode.findUnique({ where: { id: linkId } })).toMatchObject({ status: "pending" });
}

describe("the actions of keys and links are refused", () => {
  test("to nobody in particular", async () => {
    for (const text of await callAll(undefined)) expect(text).toContain("signed out");
    await expectUnchanged();
  });

  test("to a user, and to a former admin with an open page; both are in the trail", async () => {
    const former = await signedInAs("admin");
    await db.user.update({ where: { id: former.id }, data: { role: "user" } });
    for (const { id, cookie } of [taker, former]) {
      for (const text of await callAll(cookie)) expect(text).toContain("There is nothing at this address");
      expect((await refusalsOf(id)).map(({ detail }) => detail.what).sort()).toEqual([
        "key.add",
        "key.delete",
        "key.revoke",
        "link.end",
        "network.block",
        "network.unblock",
      ]);
    }
    await expectUnchanged();
  });

  test("to a disabled admin", async () => {
    const disabled = await signedInAs("admin");
    await db.user.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } });
    for (const text of await callAll(disabled.cookie)) expect(text).not.toMatch(DONE);
    await expectUnchanged();
  });

  test("to an admin whose proof is old, who is asked for another", async () => {
    const admin = await signedInAs("admin");
    await letProofsPass(admin.username);
    for (const text of await callAll(admin.cookie)) expect(text).toContain('"proof"');
    await expectUnchanged();
  });

  test("to a script of another origin", async () => {
    const admin = await signedInAs("admin");
    for (const [page, name, args] of actions()) {
      const { text } = await callAction(origin, page, name, args, {
        from: "http://elsewhere.example",
        cookie: admin.cookie,
      });
      expect(text, name).not.toMatch(DONE);
    }
    await expectUnchanged();
  });

  test("for the admin's own network", async () => {
    const admin = await signedInAs("admin");
    const own = newNetwork().id;
    const sent = [{ network: own, time: "1d", reason: "" }];
    const { text } = await callAction(origin, "/admin/links", "refuseNetwork", sent, {
      cookie: admin.cookie,
      network: own,
    });
    expect(text).toContain("in this network yourself");
    expect(await db.blockedNetwork.count({ where: { network: own } })).toBe(0);
  });
});

test("an admin may do all of them, each is in the trail with the admin, and none tells the key's data", async () => {
  await unblockNetwork(network, { actorId: "operator" }).catch(() => {});
  const admin = await signedInAs("admin");
  for (const [index, [page, name, args]] of actions().entries()) {
    const { status, text } = await callAction(origin, page, name, args, { cookie: admin.cookie });
    expect(status, name).toBe(200);
    expect(text, name).toMatch(DONE);
    expect(text, name).not.toContain(SECRET);
    if (index === 3) expect((await blockedNetworks(1_000)).map((one) => one.network)).toContain(network);
  }
  const done = (await auditTrail({ actorId: admin.id }, 50)).map(({ action }) => action);
  for (const action of ["key.add", "key.revoke", "key.delete", "link.end", "network.block", "network.unblock"])
    expect(done).toContain(action);
  expect(await db.key.count({ where: { id: keyId } })).toBe(0);
});

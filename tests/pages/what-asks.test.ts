import { describe, expect, test } from "vitest";
import { findUser } from "@/lib/accounts/user";
import { importDocument } from "@/lib/files/import";
import { listFolder } from "@/lib/files/list";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { allActions, callAction } from "@/tests/support/call-action";
import { chunks, smallDocument } from "@/tests/support/documents";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { letProofsPass, signedInAs } from "./confirming";
import { newKey } from "./keys-page";

// Contract, section 5: confirming. Each action of a signed-in page is in one of these lists.

/** Gives away what the account holds, destroys much of it, or changes the ways in. */
const ASKS = [
  ["/account", "reveal account/", "rotate", "createOwnToken", "connect", "disconnect", "prove"],
  ["/account", "enterEmail", "removeEmail", "optionsToAdd", "removeOwnPasskey", "offerAll"],
  ["/keys", "offer", "createLinks", "addToKeys"],
];
/** Shows, gives or deletes one thing: asks in a session that was opened on another network. */
const ASKS_ELSEWHERE = [["/keys", "reveal keys/", "add", "changeMany", "replaceData", "remove keys/"]];
/** Those that ask as above for some arguments, and those that have a rule, or a password, of their own. */
const BY_ARGUMENTS = ["leave", "revoke", "revokeFromKeys", "block", "remove files/", "move", "mayReplace"];
const OF_THEIR_OWN = ["replacePassword", "removeAccount", "newRecoveryCodes", "decide", "decideOtherProgram"];
/** Take something back, in alarm or not; accept; only look; or can be undone. */
const NEVER = [
  ...["removeOwnToken", "signOutOf", "signOutElsewhere", "sendEmailAgain", "cancelEmailChange", "revokeAccess"],
  ...["create", "saveSettings", "unblock", "endLinks", "withdraw", "decideOffers"],
  ...[
    "hideNews",
    "previewClaim",
    "claimKey",
    "previewAddress",
    "verifyShownAddress",
    "renameOwnPasskey",
    "acceptedPasskeys",
    "declineOffer",
  ],
  ...["newFolder", "rename", "undoMove", "restore", "recentlyDeleted", "restoreDeleted", "foldersIn"],
  // A proof itself, and what precedes a session.
  ...[
    "confirmWithPassword",
    "optionsToConfirm",
    "confirmWithResponse",
    "addCreatedPasskey",
    "continueWithCode",
    "continueWithOpener",
    "enterAnother",
  ],
  ...[
    "optionsToSignIn",
    "optionsToSignUp",
    "createAccount",
    "createProviderAccount",
    "previewInvitation",
    "createInvitedAccount",
  ],
  ...["requestLink", "previewRecovery", "recoverWithPassword", "optionsToRecover", "recoverWithPasskey"],
];

const thief = await signedInAs("user");
const caller = await findUser(thief.username);
const keys: string[] = [];
for (const name of ["One", "Two"]) keys.push(await newKey(caller, { data: "secret", name }));
await importDocument(caller, chunks(JSON.stringify(smallDocument(thief.username))));
const [here, elsewhere] = [newNetwork().id, newNetwork().id];
await db.session.updateMany({ where: { userId: thief.id }, data: { network: here } });
await letProofsPass(thief.username);

const [keyId = "", username] = [keys[0], thief.username];
/** The input of those that have one: any other is refused before a proof is asked for. */
const INPUTS: Record<string, unknown> = {
  createOwnToken: { name: "Tool", access: "read", ends: "never" },
  connect: "github",
  disconnect: "github",
  enterEmail: "name@example.org",
  removeEmail: { address: null, pending: null },
  removeOwnPasskey: newId(),
  offer: { keyId, username },
  offerAll: { username, expectedCount: 2 },
  createLinks: { keyId, links: "1", most: "1", days: null, openDays: "1", note: "" },
  addToKeys: { keyIds: keys, username },
  "reveal keys/": keyId,
  add: { keyId, username },
  changeMany: { keyId, change: "add", names: username },
  replaceData: { keyId, data: "" },
  "remove keys/": keyId,
};
const inputOf = (name: string) => (name in INPUTS ? [INPUTS[name]] : []);

function call(page: string, named: string, args: unknown[], network: string) {
  const [name = "", file] = named.split(" ");
  return callAction(origin, page, name, args, { cookie: thief.cookie, network, file });
}

function send(route: string, body: string | undefined, network: string) {
  const [method = "", path = ""] = route.split(" ");
  return ask(path, { method, body, network, headers: { Cookie: thief.cookie, Origin: origin } });
}

/** What an open or a stolen session gets, long after the last proof. */
async function asks(page: string, named: string, args: unknown[], network: string): Promise<boolean> {
  const { text } = await call(page, named, args, network);
  return /"proof":\{/.test(text);
}

const each = (lists: string[][]) =>
  lists.flatMap(([page = "", ...names]) => names.map((name) => [name, page] as const));

describe("a session an hour after its last proof", () => {
  test.each(each(ASKS))("%s is not done without one, wherever it is", async (name, page) => {
    expect(await asks(page, name, inputOf(name), here)).toBe(true);
    expect(await asks(page, name, inputOf(name), elsewhere)).toBe(true);
  });

  test.each(each(ASKS_ELSEWHERE))("%s is not done from another network", async (name, page) => {
    expect(await asks(page, name, inputOf(name), elsewhere)).toBe(true);
  });

  test("shows a key, and deletes a single one, on the network that it was opened on", async () => {
    const { text } = await call("/keys", "reveal keys/", [keys[0]], here);
    expect(text).toContain('"ok":"secret"');
    expect(await asks("/keys", "remove keys/", [keys[1], newId()], here)).toBe(false);
    expect(await db.key.count({ where: { creatorId: thief.id } })).toBe(1);
  });

  test("leaves, and deletes, one thing but not much", async () => {
    const [one, two] = ["1".repeat(32), "2".repeat(32)];
    expect(await asks("/keys", "leave", [[one]], here)).toBe(false);
    expect(await asks("/keys", "leave", [[one, two]], here)).toBe(true);
    expect(await asks("/keys", "leave", [[one]], elsewhere)).toBe(true);
    const own = thief.username.toUpperCase();
    expect(await asks("/keys", "revoke", [{ keyId: one, username: own }], here)).toBe(false);
    expect(await asks("/keys", "revoke", [{ keyId: one, username: own }], elsewhere)).toBe(true);
    expect(await asks("/keys", "revoke", [{ keyId: one, username: "another" }], elsewhere)).toBe(false);
    const keyIds = [one, two];
    expect(await asks("/keys", "revokeFromKeys", [{ keyIds, username: own }], here)).toBe(true);
    expect(await asks("/keys", "revokeFromKeys", [{ keyIds, username: "another" }], elsewhere)).toBe(false);
    const giver = await makeUser();
    expect(await asks("/keys", "block", [{ username: giver.username, andLeave: false }], elsewhere)).toBe(false);
    expect(await asks("/keys", "block", [{ username: giver.username, andLeave: true }], here)).toBe(true);
    const asked = { folderId: "", sort: "name", descending: false, limit: 10 } as const;
    const { entries } = await listFolder(thief.id, asked);
    const [folder = "", file = ""] = entries.map(({ id }) => id);
    expect(await asks("/files", "remove files/", [[folder, file]], here)).toBe(true);
    expect(await asks("/files", "remove files/", [[folder]], here)).toBe(true);
    expect(await asks("/files", "remove files/", [[file]], elsewhere)).toBe(true);
    expect(await asks("/files", "remove files/", [[file]], here)).toBe(false);
  });

  test("from another network, replaces no file by another", async () => {
    const [id, name] = ["a".repeat(32), "kept.txt"];
    const put = (existing: string, network: string, fileId = id) =>
      send(`PUT /files/uploads?${new URLSearchParams({ id: fileId, folder: "", name, existing })}`, "theirs", network);
    expect((await put("keep", elsewhere)).status).toBe(200);
    const large = (existing: string) =>
      JSON.stringify({ folder: "", name, existing, totalBytes: 3, isText: true, modified: 1 });
    const files = [{ id: "b".repeat(32), name, size: 3 }];
    const together = `${JSON.stringify({ folder: "", existing: "replace", files })}\nnew`;
    for (const answer of [
      await put("replace", elsewhere),
      await send("POST /files/uploads", large("replace"), elsewhere),
      await send("PUT /files/uploads/together", together, elsewhere),
    ])
      expect([answer.status, answer.body?.code]).toEqual([403, "proof_needed"]);
    for (const [network, isAsked] of [
      [elsewhere, true],
      [here, false],
    ] as const)
      expect(await asks("/files", "mayReplace", [], network)).toBe(isAsked);
    const moved = { entries: [id], folderId: "" };
    expect(await asks("/files", "move", [{ ...moved, onExisting: "replace" }], elsewhere)).toBe(true);
    expect(await asks("/files", "move", [{ ...moved, onExisting: "refuse" }], elsewhere)).toBe(false);
    const begun = await send("POST /files/uploads", large("replace"), here);
    const path = `/files/uploads/${begun.body?.uploadId}`;
    expect((await send(`PUT ${path}?offset=0`, "new", elsewhere)).body?.code).toBe("proof_needed");
    expect((await send(`PUT ${path}?offset=0`, "new", here)).status).toBe(200);
    expect((await send(`POST ${path}`, "", elsewhere)).body?.code).toBe("proof_needed");
    expect((await send(`GET /files/content?id=${id}`, undefined, here)).text).toBe("theirs");
    expect((await send(`POST ${path}`, "", here)).status).toBe(200);
    expect((await send(`GET /files/content?id=${id}`, undefined, here)).text).toBe("new");
  });

  test.each(["/account/archive", "/keys.csv", "/files/export", "POST /files/archive", "POST /files/import"])(
    "%s gives and takes nothing",
    async (route) => {
      const [path = "", method = "GET"] = route.split(" ").toReversed();
      const body = path === "/files/archive" ? JSON.stringify({ ids: ["x"] }) : "[]";
      const headers = { Cookie: thief.cookie, ...(method === "POST" && { Origin: origin }) };
      const answer = await ask(path, { method, headers, network: here, ...(method === "POST" && { body }) });
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("Confirm it's you first")]);
    },
  );
});

test("every action is in one of the lists", () => {
  const asking = each([...ASKS, ...ASKS_ELSEWHERE]).map(([name]) => name);
  const listed = [...asking, ...BY_ARGUMENTS, ...OF_THEIR_OWN, ...NEVER];
  const named = new Set(listed.map((name) => name.split(" ")[0]));
  expect(allActions().filter(({ file, name }) => !file.includes("/admin/") && !named.has(name))).toEqual([]);
});

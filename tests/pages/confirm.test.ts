import { describe, expect, test } from "vitest";
import { findUser } from "@/lib/accounts/identity/user";
import { importDocument } from "@/lib/files/import";
import { listFolder } from "@/lib/files/list";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { callAction } from "@/tests/support/call-action";
import { chunks, smallDocument } from "@/tests/support/documents";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { confirmOn, identityDialog, letProofsPass, signedInAs } from "./confirming";
import { fromMenu, store, textFile } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { newKey } from "./keys-page";
import { downloaded, focused, heading, press, pressByKey, submit, told } from "./on-page";
import { addOnAccount, byName, newHolder, passkeyRows, removePasskey } from "./passkey-holder";
import { newSignedIn, newVisitor, openReady, openSessionIn, PASSWORD } from "./visitor";

const NEW = "another horse battery";
const visitor = await newVisitor();
const { page } = visitor;
const dialog = identityDialog(page);
const token = (on = page) => on.getByText(/^lk_[\w-]{49}$/);

async function cancel() {
  await dialog.waitFor();
  await press(dialog, "Cancel");
  await dialog.waitFor({ state: "detached" });
}

/** Confirms, and gets the name of the file that comes then. */
const downloadedOnceConfirmed = async () => (await downloaded(page, () => confirmOn(page))).suggestedFilename();

test("the dialog asks once in ten minutes, by keyboard alone, and then goes on by itself", async () => {
  const { username } = await newSignedIn(visitor);
  await letProofsPass(username);
  await openReady(page, "/account");
  await pressByKey(page, "Reveal");
  await confirmOn(page, "not my password");
  await told(dialog, "That is not your current password.");
  expect(await dialog.getByLabel("Your password").inputValue()).toBe("not my password");
  expect(await token().count()).toBe(0);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Reveal");
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await token().waitFor();
  await expect.poll(() => focused(page)).toBe("Hide");
  await press(page, "Hide");
  await press(page, "Rotate");
  await press(page, "Rotate token", "This is your new token.");
  expect(await dialog.count()).toBe(0);
  visitor.expectCalm();
});

test("it asks in a dialog, which keeps what was typed; a password that is given anyway is a proof", async () => {
  const { username } = await newSignedIn(visitor);
  await letProofsPass(username);
  await openReady(page, "/account");
  await press(page, "New token");
  const name = page.getByRole("dialog", { name: "New token" }).getByLabel("Name", { exact: true });
  await name.fill("Nightly backup");
  await press(page, "Create token");
  await cancel();
  expect(await name.inputValue()).toBe("Nightly backup");
  await press(page, "Create token");
  await confirmOn(page);
  await press(page.getByRole("dialog", { name: "Token of Nightly backup" }), "Done");

  await letProofsPass(username);
  await submit(page, { "Current password": PASSWORD, "New password": NEW }, "Change password", "Password changed.");
  await press(page, "Reveal");
  await token().waitFor();
  expect(await dialog.count()).toBe(0);
});

test("it asks for downloads, which then come, and for an import", async () => {
  const person = await newSignedIn(visitor);
  const { username } = person;
  await newKey(person);
  await store(person, "a.txt");
  await letProofsPass(username);
  await openReady(page, "/keys");
  await page.getByRole("link", { name: "Download as CSV" }).click();
  expect(await downloadedOnceConfirmed()).toMatch(/^keys-of-.*\.csv$/);
  await letProofsPass(username);
  await openReady(page, "/files");
  await fromMenu(page, "More", "Export for programs (JSON)");
  await cancel();
  expect(await page.getByRole("dialog").count()).toBe(0);
  await fromMenu(page, "More", "Export for programs (JSON)");
  expect(await downloadedOnceConfirmed()).toBe(`${username}-files.json`);
  await press(page, "Done");

  await letProofsPass(username);
  await fromMenu(page, "More", "Import (JSON)");
  await page.getByLabel("Document", { exact: true }).setInputFiles(textFile("not-a-document.json"));
  const understood = page.getByLabel("I understand that my current files");
  await understood.check();
  await press(page, "Replace everything");
  await confirmOn(page);
  await told(page, "Your files are unchanged.");
  expect(await understood.isChecked()).toBe(true);
});

test("with a passkey and no password, one touch reveals, sets and removes; cancelled, it says so", async () => {
  const holder = await newHolder();
  const { page: own, device, expectCalm } = holder;
  const user = await makeUser();
  await openSessionIn(holder, user, byName());
  await openReady(own, "/account");
  await addOnAccount(own);
  await passkeyRows(own).waitFor();
  const letTimePass = () => letProofsPass(user.username);
  const touch = () => press(identityDialog(own), "Use a passkey");
  await letTimePass();
  await press(own, "Reveal");
  await told(identityDialog(own), "Use a passkey to continue.");
  await device.recognises(false);
  await touch();
  await told(identityDialog(own), "No passkey was used. Try again.");
  await device.recognises(true);
  await touch();
  await token(own).waitFor();
  await letTimePass();
  await submit(own, { "New password": PASSWORD }, "Set password");
  await touch();
  await heading(own, "Change your password");
  await letTimePass();
  await removePasskey(own);
  await press(own.getByRole("dialog"), "Remove");
  await told(identityDialog(own), "Use a passkey or your password to continue.");
  await expectGoodLooks(own);
  await touch();
  await passkeyRows(own).waitFor({ state: "detached" });
  expectCalm();
});

// Contract, section 5: confirming.

/** Gives away what the account holds, destroys much of it, or changes the ways in. */
const ASKS = [
  ["/account", "reveal account/", "rotate", "createOwnToken", "connect", "disconnect", "prove"],
  ["/account", "enterEmail", "removeEmail", "optionsToAdd", "removeOwnPasskey", "offerAll"],
  ["/keys", "offer", "createLinks", "addToKeys"],
];
/** Shows, gives or deletes one thing: asks in a session that was opened on another network. */
const ASKS_ELSEWHERE = [["/keys", "reveal keys/", "add", "changeMany", "replaceData", "remove keys/"]];

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

function call(page: string, named: string, args: unknown[], network: string) {
  const [name = "", file] = named.split(" ");
  return callAction(origin, page, name, args, { cookie: thief.cookie, network, file });
}

function send(route: string, body: string | undefined, network: string) {
  const [method = "", path = ""] = route.split(" ");
  return ask(path, { method, body, network, headers: { Cookie: thief.cookie, Origin: origin } });
}

/** Whether an open or a stolen session is asked, long after the last proof. */
const asks = async (...how: Parameters<typeof call>) => /"proof":\{/.test((await call(...how)).text);

const each = (lists: string[][], networks: string[]) =>
  lists.flatMap(([page = "", ...names]) =>
    names.flatMap((name) => networks.map((network) => [name, network, page] as const)),
  );

describe("a session an hour after its last proof", () => {
  test.each([...each(ASKS, [here, elsewhere]), ...each(ASKS_ELSEWHERE, [elsewhere])])(
    "%s is not done without one from the network %s",
    async (name, network, page) => {
      expect(await asks(page, name, name in INPUTS ? [INPUTS[name]] : [], network)).toBe(true);
    },
  );

  test("shows a key, and deletes a single one, on the network that it was opened on", async () => {
    const { text } = await call("/keys", "reveal keys/", [keys[0]], here);
    expect(text).toContain('"ok":"secret"');
    expect(await asks("/keys", "remove keys/", [keys[1], newId()], here)).toBe(false);
    expect(await db.key.count({ where: { creatorId: thief.id } })).toBe(1);
  });

  test("leaves, and deletes, one thing but not much", async () => {
    const keyIds = ["1".repeat(32), "2".repeat(32)];
    const [one] = keyIds;
    const own = username.toUpperCase();
    const { username: giver } = await makeUser();
    const asked = { folderId: "", sort: "name", descending: false, limit: 10 } as const;
    const [folder, file] = (await listFolder(thief.id, asked)).entries.map(({ id }) => id);
    for (const [page, name, input, network, isAsked] of [
      ["/keys", "leave", [one], here, false],
      ["/keys", "leave", keyIds, here, true],
      ["/keys", "leave", [one], elsewhere, true],
      ["/keys", "revoke", { keyId: one, username: own }, here, false],
      ["/keys", "revoke", { keyId: one, username: own }, elsewhere, true],
      ["/keys", "revoke", { keyId: one, username: "another" }, elsewhere, false],
      ["/keys", "revokeFromKeys", { keyIds, username: own }, here, true],
      ["/keys", "revokeFromKeys", { keyIds, username: "another" }, elsewhere, false],
      ["/keys", "block", { username: giver, andLeave: false }, elsewhere, false],
      ["/keys", "block", { username: giver, andLeave: true }, here, true],
      ["/files", "remove files/", [folder], here, true],
      ["/files", "remove files/", [file], elsewhere, true],
      ["/files", "remove files/", [file], here, false],
    ] as const)
      expect(await asks(page, name, [input], network), `${name} ${JSON.stringify(input)}`).toBe(isAsked);
  });

  test("from another network, replaces no file by another", async () => {
    const [id, name] = ["a".repeat(32), "kept.txt"];
    const put = (existing: string, network: string) =>
      send(`PUT /files/uploads?${new URLSearchParams({ id, folder: "", name, existing })}`, "theirs", network);
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
    for (const network of [elsewhere, here])
      expect(await asks("/files", "mayReplace", [], network)).toBe(network === elsewhere);
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

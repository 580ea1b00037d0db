import { expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { db } from "@/lib/platform/db/client";
import { callAction } from "@/tests/support/call-action";
import { ask, origin } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { confirmOn, cookieOf, identityDialog, letProofsPass } from "./confirming";
import { choose, fromMenu, selectionBar, store, textFile } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { downloaded, focused, heading, press, pressByKey, submit, told } from "./on-page";
import { addOnAccount, byName, newHolder, passkeyRows, removePasskey } from "./passkey-holder";
import { newSignedIn, newVisitor, openReady, openSessionIn, PASSWORD } from "./visitor";

// What asks is in what-asks.test.ts.

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

test("the dialog asks once in ten minutes and browser, by keyboard alone, and then goes on by itself", async () => {
  const person = await newSignedIn(visitor);
  const { username } = person;
  const elsewhere = await cookieOf(person);
  await letProofsPass(username);
  await openReady(page, "/account");
  await pressByKey(page, "Reveal");
  await told(dialog, "Enter your password to continue.");
  await told(dialog, "It can't stop someone who talks you into confirming something");
  await confirmOn(page, "not my password");
  await told(dialog, "That is not your current password.");
  expect(await dialog.getByLabel("Your password").inputValue()).toBe("not my password");
  expect(await token().count()).toBe(0);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Reveal");
  expect(await page.getByRole("alert").filter({ hasText: /./ }).count()).toBe(0);
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
  const me = async (auth: string | null) => (await ask("/me", { query: { auth: String(auth) } })).body;
  expect((await me(await token().textContent()))?.username).toBe(username);
  expect((await me(person.token))?.code).toBe("invalid_token");
  const asked = await callAction(origin, "/account", "reveal", [], { cookie: elsewhere, file: "account/" });
  expect(asked.text).toMatch(/"proof":\{/);
  visitor.expectCalm();
});

test("it asks for a new token and for rotating, but not for what alarmed users do, nor beside a password", async () => {
  const person = await newSignedIn(visitor);
  const { id, username } = person;
  await cookieOf(person);
  await letProofsPass(username);
  await openReady(page, "/account");
  await press(page, "New token");
  const name = page.getByRole("dialog", { name: "New token" }).getByLabel("Name", { exact: true });
  await name.fill("Nightly backup");
  await page.getByRole("radio", { name: "In 30 days" }).check();
  await press(page, "Create token");
  await cancel();
  expect(await name.inputValue()).toBe("Nightly backup");
  await press(page, "Create token");
  await confirmOn(page);
  await press(page.getByRole("dialog", { name: "Token of Nightly backup" }), "Done");
  const [made] = await db.accessToken.findMany({ where: { userId: id } });
  expect(made?.expiresAt).not.toBeNull();

  await letProofsPass(username);
  await press(page, "Sign out other browsers", "All other browsers have been signed out.");
  await submit(page, { "Current password": PASSWORD, "New password": NEW }, "Change password", "Password changed.");
  await press(page, "Reveal");
  expect(await token().textContent()).toBe(person.token);
  expect(await dialog.count()).toBe(0);
  await letProofsPass(username);
  await press(page, "Rotate");
  await press(page, "Rotate token");
  await confirmOn(page, NEW);
  await told(page, "This is your new token.");
});

test("it asks for the export of everything, of a list of keys and of all files, and for an import", async () => {
  const person = await newSignedIn(visitor);
  const { username } = person;
  await createKey({ ...person, role: "user" }, { data: "a secret", name: "Engine", price: "0" });
  await store(person, "a.txt", "b.txt");
  for (const [path, link, name] of [
    ["/account", "Download everything", /\.zip$/],
    ["/keys", "Download as CSV", /^keys-of-.*\.csv$/],
  ] as const) {
    await letProofsPass(username);
    await openReady(page, path);
    await page.getByRole("link", { name: link }).click();
    expect(await downloadedOnceConfirmed()).toMatch(name);
  }
  await letProofsPass(username);
  await openReady(page, "/files");
  await fromMenu(page, "More", "Export for programs (JSON)");
  await cancel();
  expect(await page.getByRole("dialog").count()).toBe(0);
  await fromMenu(page, "More", "Export for programs (JSON)");
  expect(await downloadedOnceConfirmed()).toBe(`${username}-files.json`);
  await press(page, "Done");

  await letProofsPass(username);
  await choose(page, "a.txt", "b.txt");
  await selectionBar(page).getByRole("button", { name: "Download" }).click();
  expect(await downloadedOnceConfirmed()).toMatch(/\.zip$/);
  await press(page, "Done");
  await press(page, "Clear selection");
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

test("with a passkey and no password, one touch reveals, adds and removes; cancelled, it says so", async () => {
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
  await letTimePass();
  await addOnAccount(own);
  await confirmOn(own);
  await passkeyRows(own).waitFor();
  expectCalm();
});

import type { Locator, Page } from "playwright";
import { expect, test } from "vitest";
import { newUsername } from "@/tests/support/user";
import { fromMenu } from "./files-page";
import { expectGoodLooks, LONG_NAME } from "./good-looks";
import { openNewKey } from "./keys-page";
import { button, expectFocusOn, press, told } from "./on-page";
import { newSignedIn, openReady, submitAccount } from "./visitor";

// Every form shows an error at the field that it is about, in one way.

const person = await newSignedIn();
const { page, context } = person;
const dialog = page.getByRole("dialog");

const field = (within: Page | Locator, label: string) => within.getByLabel(label, { exact: true });

/** The field is invalid, focused and described by the sentence, which is read out too. */
async function expectErrorAt(input: Locator, sentence: string) {
  await input.page().getByRole("alert").filter({ hasText: sentence }).waitFor();
  expect(await input.getAttribute("aria-invalid")).toBe("true");
  await expectFocusOn(input);
  const descriptions = await input.evaluate((element) =>
    (element.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? ""),
  );
  expect(descriptions.join(" ")).toContain(sentence);
}

/** The error stays while other fields change, and goes with a change of its own. */
async function expectGoneOnceEdited(input: Locator, sentence: string, other?: Locator) {
  const shown = input.page().getByText(sentence);
  if (other) {
    await other.fill("something else");
    expect(await shown.count()).toBe(1);
  }
  await input.press("End");
  await input.press("x");
  await shown.waitFor({ state: "detached" });
  expect(await input.getAttribute("aria-invalid")).not.toBe("true");
}

test("creating a key, whose dialog forgets its errors", async () => {
  await openReady(page, "/keys");
  await press(page, "Create your first key");
  await field(dialog, "Secret").fill("a secret");
  for (const [label, typed, sentence, correct] of [
    ["Name", "x".repeat(101), "The name can have 100 characters at most.", "a name"],
    ["Secret", "x".repeat(65_537), "The secret must", "a secret"],
  ] as const) {
    const input = field(dialog, label);
    await input.fill(typed);
    await press(dialog, "Create key");
    await expectErrorAt(input, sentence);
    await expectGoneOnceEdited(input, sentence);
    await input.fill(correct);
  }
  await field(dialog, "Price").fill("free");
  await press(dialog, "Create key");
  await expectErrorAt(field(dialog, "Price"), "The price must be a plain decimal");
  await expectGoodLooks(page, "dialog[open]");
  await press(dialog, "Cancel");
  await dialog.waitFor({ state: "hidden" });
  await press(page, "Create your first key");
  expect(await dialog.getByText("The price must be a plain decimal").count()).toBe(0);
});

test("changing a key's settings, its data and its holders, entering a code, and naming a folder", async () => {
  await openNewKey(person, { name: LONG_NAME, data: "x".repeat(5_000) });
  await press(page, "Reveal");
  await button(page, "Hide").waitFor();
  await button(page, "Show API calls").click();
  const [name, price] = [field(page, "Name"), page.getByRole("textbox", { name: "Price" })];
  const [tooLong, noPrice] = ["The new name can have 100 characters at most.", "The new price must be a plain decimal"];
  await name.fill("x".repeat(101));
  await press(page, "Save");
  await expectErrorAt(name, tooLong);
  await expectGoneOnceEdited(name, tooLong, price);
  await name.fill("Pass");
  await press(page, "Save");
  await expectErrorAt(price, noPrice);
  await page.getByLabel("Not for sale").check();
  await page.getByText(noPrice).waitFor({ state: "detached" });

  for (const [open, label, typed, send, sentence] of [
    ["Change", "New secret", "x".repeat(65_537), "Save secret", "must have 0 to 65536 bytes"],
    ["", "Add a user", "two words", "Add", "There is no user with this name."],
  ] as const) {
    if (open) await press(page, open);
    await field(page, label).fill(typed);
    await press(page, send);
    await expectErrorAt(field(page, label), sentence);
    if (!open) await expectGoodLooks(page);
    await expectGoneOnceEdited(field(page, label), sentence, name);
  }

  await page.goto("/link");
  await field(page, "Code").fill("KMTR");
  await press(page, "Continue");
  await expectErrorAt(field(page, "Code"), "six letters");
  await page.goto("/files");
  await fromMenu(page, "Add", "New folder");
  await field(dialog, "Name").fill("a/b");
  await press(page, "Create folder");
  await expectErrorAt(field(dialog, "Name"), "A name cannot contain a slash");
});

test("changing the password, and deleting the account, whose dialog forgets its errors", async () => {
  await openReady(page, "/account");
  const [current, next] = [field(page, "Current password"), field(page, "New password")];
  const notYours = "That is not your current password.";
  await current.fill("not the password");
  await next.fill("another good password");
  await press(page, "Change password");
  await expectErrorAt(current, notYours);
  await expectGoneOnceEdited(current, notYours, next);
  await next.fill("short");
  await press(page, "Change password");
  await expectErrorAt(next, "A password needs at least 8 characters.");

  const [name, password] = [field(dialog, "Your username"), field(dialog, "Your password")];
  await press(page, "Delete account");
  await name.fill("somebody");
  await password.fill("not the password");
  await press(dialog, "Delete my account");
  await expectErrorAt(name, "That isn't your username.");
  await expectGoneOnceEdited(name, "That isn't your username.", password);
  await name.fill(person.username);
  await press(dialog, "Delete my account");
  await expectErrorAt(password, notYours);
  await press(dialog, "Cancel");
  await dialog.waitFor({ state: "hidden" });
  await press(page, "Delete account");
  expect(await dialog.getByText(notYours).count()).toBe(0);
  await press(dialog, "Cancel");
  person.expectCalm();

  // An error about no field keeps the keyboard at the button that was pressed.
  await next.fill("another good password");
  await context.setOffline(true);
  await button(page, "Change password").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "could not be reached" }).waitFor();
  expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
  await expectFocusOn(button(page, "Change password"));
  await context.setOffline(false);
});

test("signing up, whose fields keep their errors apart, and signing in, whose error is about both", async () => {
  await context.clearCookies();
  const [name, password] = [field(page, "Username"), field(page, "Password")];
  const [tooShort, taken] = ["A password needs at least 8 characters.", "is taken. Choose another."];
  await page.goto("/signup");
  await submitAccount(page, "Sign up", " ");
  await expectErrorAt(name, "A username has 3 to 20 characters");
  await expectGoneOnceEdited(name, "A username has 3 to 20 characters", password);
  await submitAccount(page, "Sign up", newUsername(), "short");
  await expectErrorAt(password, tooShort);
  expect(await name.getAttribute("aria-invalid")).not.toBe("true");
  await expectGoneOnceEdited(password, tooShort, name);

  await submitAccount(page, "Sign up", person.username, "short");
  await expectErrorAt(name, taken);
  await told(page, tooShort);
  expect(await password.getAttribute("aria-invalid")).toBe("true");
  await expectGoneOnceEdited(name, taken);
  expect(await page.getByText(tooShort).count()).toBe(1);
  await expectGoneOnceEdited(password, tooShort);

  const sentence = "The username or the password is wrong.";
  await page.goto("/signin");
  for (const edited of [name, password]) {
    await submitAccount(page, "Sign in", person.username, "not the password");
    await expectErrorAt(password, sentence);
    await edited.fill("another");
    await page.getByText(sentence).waitFor({ state: "detached" });
  }
});

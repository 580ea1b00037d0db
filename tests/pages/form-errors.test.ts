import type { Locator, Page } from "playwright";
import { expect, test } from "vitest";
import { newUsername } from "@/tests/support/user";
import { fromMenu } from "./files-page";
import { expectGoodLooks, LONG_NAME } from "./good-looks";
import { openNewKey } from "./keys-page";
import { button, expectFocusOn, press, submit, told } from "./on-page";
import { newSignedIn, openReady, submitAccount } from "./visitor";

// Every form shows an error at the field that it is about, in one way.

const person = await newSignedIn();
const { page, context } = person;
const dialog = page.getByRole("dialog");

const field = (within: Page | Locator, label: string) => within.getByLabel(label, { exact: true });

/** The field is invalid, focused and described by the sentence, which is read out too. */
async function expectErrorAt(input: Locator, sentence: string) {
  await page.getByRole("alert").filter({ hasText: sentence }).waitFor();
  expect(await input.getAttribute("aria-invalid")).toBe("true");
  await expectFocusOn(input);
  const descriptions = await input.evaluate((element) =>
    (element.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? ""),
  );
  expect(descriptions.join(" ")).toContain(sentence);
}

/** The error stays while another field changes, and goes with a change of its own. */
async function expectGoneOnceEdited(input: Locator, sentence: string, other?: Locator) {
  const shown = page.getByText(sentence);
  if (other) {
    await other.fill("something else");
    expect(await shown.count()).toBe(1);
  }
  await input.press("End");
  await input.press("x");
  await shown.waitFor({ state: "detached" });
  expect(await input.getAttribute("aria-invalid")).not.toBe("true");
}

test("in a dialog, which forgets its errors", async () => {
  await openReady(page, "/keys");
  await press(page, "Create your first key");
  const sentence = "The name can have 100 characters at most.";
  await submit(dialog, { Secret: "a secret", Name: "x".repeat(101) }, "Create key");
  await expectErrorAt(field(dialog, "Name"), sentence);
  await expectGoneOnceEdited(field(dialog, "Name"), sentence);
  await submit(dialog, { Name: "a name", Price: "free" }, "Create key");
  await expectErrorAt(field(dialog, "Price"), "The price must be a plain decimal");
  await press(dialog, "Cancel");
  await dialog.waitFor({ state: "hidden" });
  await press(page, "Create your first key");
  expect(await dialog.getByText("The price must be a plain decimal").count()).toBe(0);
});

test("on a page with many forms, whose long texts fit, and in fields that actions of their own check", async () => {
  await openNewKey(person, { name: LONG_NAME, data: "x".repeat(5_000) });
  await press(page, "Reveal");
  await press(page, "Show API calls");
  const [name, price] = [field(page, "Name"), page.getByRole("textbox", { name: "Price" })];
  const [tooLong, noPrice] = ["The new name can have 100 characters at most.", "The new price must be a plain decimal"];
  await submit(page, { Name: "x".repeat(101) }, "Save");
  await expectErrorAt(name, tooLong);
  await expectGoneOnceEdited(name, tooLong, price);
  await submit(page, { Name: "Pass" }, "Save");
  await expectErrorAt(price, noPrice);
  await page.getByLabel("Not for sale").check();
  await page.getByText(noPrice).waitFor({ state: "detached" });
  await submit(page, { "Add a user": "two words" }, "Add");
  await expectErrorAt(field(page, "Add a user"), "There is no user with this name.");
  await expectGoodLooks(page);

  await page.goto("/link");
  await submit(page, { Code: "KMTR" }, "Continue");
  await expectErrorAt(field(page, "Code"), "six letters");
  await page.goto("/files");
  await fromMenu(page, "Add", "New folder");
  await submit(dialog, { Name: "a/b" }, "Create folder");
  await expectErrorAt(field(dialog, "Name"), "A name cannot contain a slash");
});

test("of a password, and at the button where no field is wrong", async () => {
  await openReady(page, "/account");
  const [current, next] = [field(page, "Current password"), field(page, "New password")];
  const notYours = "That is not your current password.";
  const passwords = { "Current password": "not the password", "New password": "another good password" };
  await submit(page, passwords, "Change password");
  await expectErrorAt(current, notYours);
  await expectGoneOnceEdited(current, notYours, next);
  await press(page, "Delete account");
  await submit(dialog, { "Your username": "somebody", "Your password": "not the password" }, "Delete my account");
  await expectErrorAt(field(dialog, "Your username"), "That isn't your username.");
  await press(dialog, "Cancel");
  await dialog.waitFor({ state: "hidden" });
  person.expectCalm();

  await context.setOffline(true);
  await submit(page, passwords, "Change password");
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
  await submitAccount(page, "Sign up", newUsername(), "short");
  await expectErrorAt(password, tooShort);
  expect(await name.getAttribute("aria-invalid")).not.toBe("true");
  await submitAccount(page, "Sign up", person.username, "short");
  await expectErrorAt(name, taken);
  await told(page, tooShort);
  expect(await password.getAttribute("aria-invalid")).toBe("true");
  await expectGoneOnceEdited(name, taken);
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

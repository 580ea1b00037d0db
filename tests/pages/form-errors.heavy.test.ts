import type { Browser, Locator, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { newUsername } from "@/tests/support/user";
import { launchBrowser, newPerson, type Person } from "./person";
import { newVisitor, submitAccount } from "./visitor";

// Every form shows an error at the field that it is about, in one way.

let browser: Browser;
let person: Person;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  person = await newPerson(browser);
  page = person.page;
  return () => person.context.close();
});

const field = (within: Page | Locator, label: string) => within.getByLabel(label, { exact: true });
const press = (within: Page | Locator, name: string) => within.getByRole("button", { name, exact: true }).click();

/** The field is invalid, focused and described by the sentence. */
async function expectErrorAt(input: Locator, sentence: string) {
  await input.page().getByText(sentence).waitFor();
  expect(await input.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => input.evaluate((element) => element === document.activeElement)).toBe(true);
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

test("signing up", async () => {
  const visitor = await newVisitor(browser);
  const name = field(visitor.page, "Username");
  const password = field(visitor.page, "Password");
  await visitor.page.goto("/signup");
  const refused: [string, string][] = [
    ["two words", "A username has 3 to 20 characters"],
    [" ", "A username has 3 to 20 characters"],
    [person.username, "is taken. Choose another."],
  ];
  for (const [typed, sentence] of refused) {
    await submitAccount(visitor.page, "Sign up", typed);
    await expectErrorAt(name, sentence);
    await expectGoneOnceEdited(name, sentence, password);
  }
  await submitAccount(visitor.page, "Sign up", newUsername(), "short");
  await expectErrorAt(password, "A password needs at least 8 characters.");
  await expectGoneOnceEdited(password, "A password needs at least 8 characters.", name);

  // Both fields at once: each keeps its error until it is changed itself.
  for (const [typed, sentence] of [refused[0], refused[2]] as [string, string][]) {
    await submitAccount(visitor.page, "Sign up", typed, "short");
    await expectErrorAt(name, sentence);
    await visitor.page.getByText("A password needs at least 8 characters.").waitFor();
    expect(await password.getAttribute("aria-invalid")).toBe("true");
    await expectGoneOnceEdited(name, sentence);
    expect(await visitor.page.getByText("A password needs at least 8 characters.").count()).toBe(1);
    await expectGoneOnceEdited(password, "A password needs at least 8 characters.");
  }
  visitor.expectCalm();
  await visitor.context.close();
});

test("signing in, whose error is about both fields", async () => {
  const visitor = await newVisitor(browser);
  const sentence = "The username or the password is wrong.";
  await visitor.page.goto("/signin");
  for (const edited of ["Username", "Password"]) {
    await submitAccount(visitor.page, "Sign in", person.username, "not the password");
    await expectErrorAt(field(visitor.page, "Password"), sentence);
    await field(visitor.page, edited).fill("another");
    await visitor.page.getByText(sentence).waitFor({ state: "detached" });
  }
  await visitor.context.close();
});

test("creating a key, whose dialog forgets its errors", async () => {
  await page.goto("/keys");
  await press(page, "Create your first key");
  const dialog = page.getByRole("dialog");
  const data = field(dialog, "Data");
  const refused: [string, string, string, string][] = [
    ["Name", "x".repeat(101), "The name can have 100 characters at most.", "a name"],
    ["Data", "x".repeat(65_537), "The data", "a secret"],
    ["Price", "1,5", "The price must be a plain decimal", "2"],
  ];
  await data.fill("a secret");
  for (const [label, typed, sentence, correct] of refused) {
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
  await press(dialog, "Cancel");
  await dialog.waitFor({ state: "hidden" });
  await press(page, "Create your first key");
  expect(await dialog.getByText("The price must be a plain decimal").count()).toBe(0);
  person.expectCalm();
});

test("changing a key: its settings, its data, its holders", async () => {
  const key = await createKey(person, { data: "a secret", price: "1", name: "Pass" });
  await page.goto(`/keys?key=${key.id}`);
  const name = field(page, "Name");
  const price = page.getByRole("textbox", { name: "Price" });
  await name.fill("x".repeat(101));
  await press(page, "Save");
  await expectErrorAt(name, "The new name can have 100 characters at most.");
  await price.fill("2");
  expect(await page.getByText("The new name can have").count()).toBe(1);
  await name.fill("Pass");
  await page.getByText("The new name can have").waitFor({ state: "detached" });

  await price.fill("1e5");
  await press(page, "Save");
  await expectErrorAt(price, "The new price must be a plain decimal");
  await page.getByLabel("Not for sale").check();
  await page.getByText("The new price must be a plain decimal").waitFor({ state: "detached" });

  await press(page, "Change");
  const data = field(page, "New data");
  await data.fill("x".repeat(65_537));
  await press(page, "Save data");
  await expectErrorAt(data, "must have 0 to 65536 bytes");
  await expectGoneOnceEdited(data, "must have 0 to 65536 bytes", name);

  const holder = field(page, "Add a user");
  for (const nobody of [newUsername(), "two words"]) {
    await holder.fill(nobody);
    await press(page, "Add");
    await expectErrorAt(holder, "There is no user with this name.");
    await expectGoneOnceEdited(holder, "There is no user with this name.");
  }
  person.expectCalm();
});

test("changing the password", async () => {
  await page.goto("/account");
  const current = field(page, "Current password");
  const next = field(page, "New password");
  await current.fill("not the password");
  await next.fill("another good password");
  await press(page, "Change password");
  await expectErrorAt(current, "That is not your current password.");
  await expectGoneOnceEdited(current, "That is not your current password.", next);
  await next.fill("short");
  await press(page, "Change password");
  await expectErrorAt(next, "A password needs at least 8 characters.");
  await expectGoneOnceEdited(next, "A password needs at least 8 characters.", current);
  person.expectCalm();
});

test("deleting the account, whose dialog forgets its errors", async () => {
  await page.goto("/account");
  await press(page, "Delete account");
  const dialog = page.getByRole("dialog");
  const name = field(dialog, "Your username");
  const password = field(dialog, "Your password");
  await name.fill("somebody");
  await password.fill("not the password");
  await press(dialog, "Delete my account");
  await expectErrorAt(name, "That isn't your username.");
  await expectGoneOnceEdited(name, "That isn't your username.", password);
  await name.fill(person.username);
  await press(dialog, "Delete my account");
  await expectErrorAt(password, "That is not your current password.");
  await press(dialog, "Cancel");
  await dialog.waitFor({ state: "hidden" });
  await press(page, "Delete account");
  expect(await dialog.getByText("That is not your current password.").count()).toBe(0);
  person.expectCalm();
});

test("entering a code", async () => {
  await page.goto("/link");
  await field(page, "Code").fill("12");
  await press(page, "Continue");
  const shown = page.locator("[aria-invalid=true]");
  await shown.waitFor();
  await expectErrorAt(field(page, "Code"), (await page.locator("p[id$=-error]").textContent()) ?? "");
  person.expectCalm();
});

test("naming a folder", async () => {
  await page.goto("/files");
  await press(page, "New folder");
  const name = field(page.getByRole("dialog"), "Name");
  await name.fill("a/b");
  await press(page, "Create folder");
  await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
  await expectErrorAt(name, (await page.locator("p[id$=-error]").textContent()) ?? "");
  person.expectCalm();
});

test("an error about no field keeps the keyboard at the button that was pressed", async () => {
  await page.goto("/account");
  await field(page, "Current password").fill("not the password");
  await field(page, "New password").fill("another good password");
  await person.context.setOffline(true);
  const change = page.getByRole("button", { name: "Change password" });
  await change.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: /\S/ }).waitFor();
  expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
  await expect.poll(() => change.evaluate((element) => element === document.activeElement)).toBe(true);
  await person.context.setOffline(false);
});

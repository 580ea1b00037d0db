import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { launchBrowser, newPerson } from "./person";
import { newVisitor, PASSWORD, submitAccount } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** The field named is marked, has the sentence beside it for eyes and screen readers, and the keyboard is in it. */
async function expectAtField(page: Page, label: string, sentence: RegExp): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await page.getByRole("alert").filter({ hasText: sentence }).waitFor();
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  const described = await field.evaluate((element) =>
    (element.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join(" "),
  );
  expect(described).toMatch(sentence);
}

test("the start page leads to the documents, to the link page, to signing in and to signing up", async () => {
  const { page } = await newVisitor(browser);
  for (const [name, path] of [
    ["Read the docs", "/docs"],
    ["Enter a code", "/link"],
    ["Sign in", "/signin"],
    ["Sign up", "/signup"],
  ] as const) {
    await page.goto("/");
    await page.getByRole("link", { name, exact: true }).first().click();
    await page.waitForURL(new RegExp(`${path}(?:\\?|$)`));
  }
});

test("who is not signed in finds the way to the link page in the head", async () => {
  const { page } = await newVisitor(browser);
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Link a program" }).click();
  await page.getByRole("heading", { name: "Link a program" }).waitFor();
});

test("the whole address of the link page, pasted into its field, is taken for its code", async () => {
  const { page } = await newPerson(browser);
  const { body } = await ask("/link/code");
  await page.goto("/link");
  await page.getByLabel("Code").fill(`${origin}/link?code=${body?.code}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Link this program" }).waitFor();
});

describe("an error stands at the field that it speaks of", () => {
  test("at sign-up, a name that is taken, one that is none, a password that is too short", async () => {
    const { username } = await newPerson(browser);
    const { page, expectCalm } = await newVisitor(browser);
    await page.goto("/signup");
    await submitAccount(page, "Sign up", username);
    await expectAtField(page, "Username", /is taken/);
    await submitAccount(page, "Sign up", "ada lovelace");
    await expectAtField(page, "Username", /3 to 20 characters/);
    await submitAccount(page, "Sign up", "   ");
    await expectAtField(page, "Username", /3 to 20 characters/);
    await submitAccount(page, "Sign up", `${username.slice(0, 12)}-x`, "short");
    await expectAtField(page, "Password", /at least 8 characters/);
    expect(await page.getByLabel("Username").getAttribute("aria-invalid")).not.toBe("true");
    expectCalm();
  });

  test("at sign-in, a wrong password", async () => {
    const { username } = await newPerson(browser);
    const { page } = await newVisitor(browser);
    await page.goto("/signin");
    await submitAccount(page, "Sign in", username, "not the password");
    await expectAtField(page, "Password", /is wrong/);
  });

  test("at the code, letters that are none", async () => {
    const { page } = await newVisitor(browser);
    await page.goto("/link");
    await page.getByLabel("Code").fill("KMTR");
    await page.getByRole("button", { name: "Continue" }).click();
    await expectAtField(page, "Code", /six letters/);
  });

  test("at a new key, its price; at its holders, a user that is none", async () => {
    const { page } = await newPerson(browser);
    await page.getByRole("button", { name: "Create your first key" }).click();
    await page.getByLabel("Data", { exact: true }).fill("x");
    await page.getByLabel("Price").fill("1e5");
    await page.getByRole("button", { name: "Create key" }).click();
    await expectAtField(page, "Price", /plain decimal like/);
    await page.getByLabel("Price").fill("1");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Add a user").fill("nobody-at-all");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expectAtField(page, "Add a user", /no user/);
  });

  test("on the account page, the current password or the new one", async () => {
    const { page } = await newPerson(browser);
    await page.goto("/account");
    await page.getByLabel("Current password", { exact: true }).fill("not the password");
    await page.getByLabel("New password", { exact: true }).fill("another correct horse");
    await page.getByRole("button", { name: "Change password" }).click();
    await expectAtField(page, "Current password", /not your current password/);
    await page.getByLabel("Current password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("New password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Change password" }).click();
    await expectAtField(page, "New password", /at least 8 characters/);
  });

  test("before the account is deleted, the name or the password", async () => {
    const { page, username } = await newPerson(browser);
    await page.goto("/account");
    await page.getByRole("button", { name: "Delete account" }).click();
    await page.getByLabel("Your username", { exact: true }).fill("somebody-else");
    await page.getByLabel("Your password", { exact: true }).fill("not the password");
    await page.getByRole("button", { name: "Delete my account" }).click();
    await expectAtField(page, "Your username", /isn't your username/);
    await page.getByLabel("Your username", { exact: true }).fill(username);
    await page.getByRole("button", { name: "Delete my account" }).click();
    await expectAtField(page, "Your password", /not your current password/);
  });
});

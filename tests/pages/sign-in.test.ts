import { expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { newUsername } from "@/tests/support/user";
import { press, told } from "./on-page";
import { atAccountOf, newMember, newVisitor, openReady, PASSWORD, revealedToken, submitAccount } from "./visitor";

test("signing up leads to the account, where the token is shown and copied only when asked", async () => {
  const { page, context, expectCalm } = await newVisitor();
  const answering: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.request().method() === "GET") answering.push(response.text().catch(() => ""));
  });
  const username = newUsername();
  await page.goto("/signup");
  await submitAccount(page, "Sign up", username, "short");
  await page.getByRole("alert").filter({ hasText: "8 characters" }).waitFor();
  await submitAccount(page, "Sign up", username);
  await atAccountOf(page, username);
  await told(page, "Your account is ready.");
  await page.getByRole("link", { name: "create recovery codes" }).click();
  await expect.poll(() => page.evaluate(() => window.location.hash)).toBe("#recovery-codes");
  await page.waitForLoadState("networkidle");
  const answers = await Promise.all(answering);
  expect(answers.length).toBeGreaterThan(2);
  for (const text of [...answers, await page.content()]) expect(text).not.toMatch(/lk_[\w-]{43}/);

  const token = await revealedToken(page);
  expect((await ask("/me", { query: { auth: token } })).body?.username).toBe(username);
  expect(await page.getByText("Your account is ready.").count()).toBe(0);
  await press(page, "Hide");
  expect(await page.content()).not.toContain(token);
  await page.getByRole("button", { name: "Copy" }).first().click();
  await told(page, "Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);

  for (const { value } of await context.cookies()) expect(decodeURIComponent(value)).not.toContain(token);
  expectCalm();
});

test("after signing out, a kept cookie is useless, and the password signs in again", async () => {
  const { page, username, context } = await newMember();
  const cookies = await context.cookies();
  await press(page, "Sign out");
  await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  const stolen = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  expect((await ask("/account", { headers: { Cookie: stolen } })).headers.location).toBe("/signin?next=/account");
  await page.goto("/account");
  await page.waitForURL("**/signin?next=/account");
  await submitAccount(page, "Sign in", ` ${username.toUpperCase()} `, PASSWORD);
  await atAccountOf(page, username);
});

test("what is refused before anybody is signed in is said as it is", async () => {
  const { page } = await newVisitor();
  await openReady(page, "/signin");
  await submitAccount(page, "Sign in", "nobody-at-all", "x".repeat(9_000));
  await told(page, "A body may have");
});

import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright";
import { expect } from "vitest";
import { origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { newUsername } from "@/tests/support/user";
import { translate } from "./translator";

export const PASSWORD = "correct horse battery";

export interface Visitor {
  context: BrowserContext;
  page: Page;
  network: string;
  /**
   * Fails where the browser complained of anything: a script that threw, or something that the page's policy refused.
   */
  expectCalm: () => void;
}

/** Somebody nobody knows, in a browser window of their own, on a network of their own. */
export async function newVisitor(
  browser: Browser,
  network = newNetwork().id,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: origin,
    permissions: ["clipboard-read", "clipboard-write"],
    extraHTTPHeaders: { "X-Forwarded-For": network },
    ...options,
  });
  // components/early-press.tsx says it.
  await context.addInitScript(() => addEventListener("latchkey:ready", () => Object.assign(window, { isReady: true })));
  if (process.env.TEST_TRANSLATED) await translate(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return { context, page, network, expectCalm: () => expect(complaints).toEqual([]) };
}

/**
 * Waits until the page's script reacts. Presses of buttons and what is typed into forms wait for it by themselves;
 * links that a script follows, keys, boxes, and what only a script writes do not.
 */
export async function untilReady(page: Page): Promise<void> {
  await page.waitForFunction(() => Reflect.get(window, "isReady") === true);
}

/** Opens a page, and waits until its script reacts. */
export async function openReady(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilReady(page);
}

/** Loads the page again, and waits until its script reacts. */
export async function reloadReady(page: Page): Promise<void> {
  await page.reload();
  await untilReady(page);
}

/** Fills in the form for username and password that the page shows, and presses its button. */
export async function submitAccount(
  page: Page,
  button: "Sign in" | "Sign up",
  username: string,
  password = PASSWORD,
): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: button, exact: true }).click();
}

/** Waits for the account page of this user, the whole of it. */
export async function atAccountOf(page: Page, username: string): Promise<void> {
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
  await page.getByRole("main").getByText(username, { exact: true }).waitFor();
  await page.waitForLoadState();
}

/** Signs in, and ends on the account's page. */
export async function signIn(page: Page, username: string): Promise<void> {
  await page.goto("/signin?next=/account");
  await submitAccount(page, "Sign in", username);
  await atAccountOf(page, username);
}

/** Makes an account and ends on its page. Answers the username. */
export async function signUp(page: Page): Promise<string> {
  const username = newUsername();
  await page.goto("/signup?next=/account");
  await submitAccount(page, "Sign up", username);
  await atAccountOf(page, username);
  return username;
}

export interface Member extends Visitor {
  username: string;
}

/** Somebody who has just signed up and looks at the account's page. */
export async function newMember(browser: Browser): Promise<Member> {
  const visitor = await newVisitor(browser);
  const username = await signUp(visitor.page);
  await untilReady(visitor.page);
  return { ...visitor, username };
}

/** The token that the account page shows when asked. */
export async function revealedToken(page: Page): Promise<string> {
  await page.goto("/account");
  await page.getByRole("button", { name: "Reveal" }).click();
  return (await page.getByText(/^lk_[\w-]{43}$/).textContent()) ?? "";
}

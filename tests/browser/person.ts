import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { expect } from "vitest";
import { revealToken } from "@/lib/auth/tokens";
import { findUser } from "@/lib/auth/users";
import { findBrowser } from "@/scripts/browser";
import { origin } from "../support/http";
import { newUsername } from "../support/user";

/** What everybody here signs in with. */
export const PASSWORD = "correct horse battery";

export interface Person {
  id: string;
  username: string;
  role: string;
  token: string;
  context: BrowserContext;
  page: Page;
  /** Fails where the browser complained of anything: a script that threw, or something that the page's policy refused. */
  expectCalm: () => void;
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
}

/** Somebody who has just signed up, in a browser window of their own. */
export async function newPerson(browser: Browser): Promise<Person> {
  const context = await browser.newContext({ baseURL: origin, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));

  const username = await signUp(page);
  const { id } = await findUser(username);
  return { id, username, role: "user", token: await revealToken(id), context, page, expectCalm: () => expect(complaints).toEqual([]) };
}

/** Makes an account and stays at the list of its keys. Answers its username. */
export async function signUp(page: Page): Promise<string> {
  const username = newUsername();
  await page.goto("/signup?next=/keys");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("heading", { name: "Keys", exact: true }).waitFor();
  return username;
}

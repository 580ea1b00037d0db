import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser } from "./person";
import { newMember, newVisitor, revealedToken, signUp, type Visitor } from "./visitor";

let browser: Browser;
let stranger: Visitor;
let member: Visitor;
beforeAll(async () => {
  browser = await launchBrowser();
  stranger = await newVisitor(browser);
  member = await newMember(browser);
});
afterAll(() => browser?.close());

async function enterCode(page: Page): Promise<string> {
  const { body } = await ask("/link/code", { network: member.network });
  await page.goto("/link");
  await page.getByLabel("Code").fill(String(body?.code));
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  return String(body?.code);
}

/** Links a program to the visitor, which collects the token. */
async function linkCollected({ page, network }: Visitor) {
  const code = await enterCode(page);
  await page.getByRole("button", { name: "Link this program", exact: true }).click();
  await page.getByText("Waiting for the program").waitFor();
  await ask("/link/user", { query: { code }, network });
}

test("the head says which page this is, of its pages and of those below them", async () => {
  const marked = (page: Page) => page.getByRole("navigation", { name: "Main" }).locator("[aria-current]");
  for (const [path, name] of [
    ["/keys?list=given", "Keys"],
    ["/docs/guides/keys", "Docs"],
  ] as const) {
    await member.page.goto(path);
    expect(await marked(member.page).allTextContents()).toEqual([expect.stringContaining(name)]);
  }
  await member.page.goto("/account");
  expect(await marked(member.page).count()).toBe(0);
  await member.page.getByLabel(/^Account menu of /).click();
  const account = member.page.getByRole("banner").getByRole("link", { name: "Account", exact: true });
  expect(await account.getAttribute("aria-current")).toBe("page");
  await stranger.page.goto("/");
  expect(await marked(stranger.page).count()).toBe(0);
});

test("times are those of the clocks where they are read", async () => {
  const { page } = await newVisitor(browser, undefined, { timezoneId: "Pacific/Kiritimati" });
  await signUp(page);
  const since = page.getByRole("region", { name: "Where you're signed in" }).locator("time");
  const at = new Date((await since.getAttribute("datetime")) ?? "");
  const there = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "medium",
    timeZone: "Pacific/Kiritimati",
  });
  await expect.poll(() => since.getAttribute("title")).toContain(`${there.format(at)} (`);
  expect(await since.allInnerTexts()).toEqual([expect.stringMatching(/^(a moment|\d minutes?) ago$/)]);
  // For the keyboard, and for a finger.
  await since.focus();
  expect(await since.allInnerTexts()).toEqual([there.format(at)]);
});

describe("without violations of axe-core, and without scrolling sideways", () => {
  test.each([
    "/",
    "/signin",
    "/signup",
    "/link",
    "/docs",
    "/docs/guides/command-line",
    "/docs/guides/desktop",
    "/docs/guides/browser",
    "/docs/guides/keys",
    "/docs/guides/backup",
    "/docs/guides/production",
    "/docs/guides/existing-clients",
    "/no-such-page",
  ])("%s for a stranger", async (path) => {
    await stranger.page.goto(path);
    await expectGoodLooks(stranger.page);
  });

  test.each(["/", "/account", "/link", "/keys"])("%s for who is signed in", async (path) => {
    await member.page.goto(path);
    await expectGoodLooks(member.page);
  });

  test("the account page with the token shown and with the question whether to rotate it", async () => {
    await revealedToken(member.page);
    await expectGoodLooks(member.page);
    await member.page.getByRole("button", { name: "Rotate", exact: true }).click();
    await member.page.getByRole("dialog").waitFor();
    await expectGoodLooks(member.page);
  });

  test("the questions before access is taken away and before the account is deleted", async () => {
    await linkCollected(member);
    await member.page.goto("/account");
    for (const button of ["Remove Unnamed program", "New token", "Delete account"]) {
      await member.page.getByRole("button", { name: button, exact: true }).click();
      await member.page.getByRole("dialog").waitFor();
      await expectGoodLooks(member.page);
      await member.page.keyboard.press("Escape");
    }
  });

  test("a password that everybody would guess", async () => {
    await stranger.page.goto("/signup");
    await stranger.page.getByLabel("Password", { exact: true }).fill("password");
    await stranger.page.getByText("Very easy to guess").waitFor();
    await expectGoodLooks(stranger.page);
  });

  test("forms that were refused", async () => {
    await stranger.page.goto("/signin");
    await stranger.page.getByLabel("Username").fill("nobody-at-all");
    await stranger.page.getByLabel("Password", { exact: true }).fill("wrong password");
    await stranger.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await stranger.page.getByText("The username or the password is wrong.").waitFor();
    await expectGoodLooks(stranger.page);
  });

  test("signing in on the way to a link", async () => {
    await enterCode(stranger.page);
    await stranger.page.getByRole("heading", { name: "Sign in to continue" }).waitFor();
    await expectGoodLooks(stranger.page);
  });

  test("deciding about a link, and after it", async () => {
    const code = await enterCode(member.page);
    await member.page.getByRole("button", { name: "Link this program", exact: true }).waitFor();
    await expectGoodLooks(member.page);
    await member.page.getByRole("button", { name: "Link this program", exact: true }).click();
    await member.page.getByText("Waiting for the program").waitFor();
    await expectGoodLooks(member.page);
    await ask("/link/user", { query: { code }, network: member.network });
    await member.page.getByText("The program has collected your token.").waitFor();
    await expectGoodLooks(member.page);
  });

  test("a code that was denied", async () => {
    await enterCode(member.page);
    await member.page.getByRole("button", { name: "Deny", exact: true }).click();
    await member.page.getByRole("heading", { name: "Denied" }).waitFor();
    await expectGoodLooks(member.page);
  });
});

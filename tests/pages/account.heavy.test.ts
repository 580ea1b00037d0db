import { readFileSync } from "node:fs";
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { findUser } from "@/lib/user";
import { ask } from "@/tests/support/http";
import { launchBrowser } from "./person";
import { atAccountOf, newMember, newVisitor, PASSWORD, revealedToken, signIn, submitAccount } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const me = async (token: string) => (await ask("/me", { query: { auth: token } })).body;

describe("the account page", () => {
  test("changes the password and signs every other browser out", async () => {
    const { page, username } = await newMember(browser);
    const { page: elsewhere } = await newVisitor(browser);
    await signIn(elsewhere, username);

    const change = async (current: string, next: string) => {
      await page.getByLabel("Current password").fill(current);
      await page.getByLabel("New password").fill(next);
      await page.getByRole("button", { name: "Change password" }).click();
    };
    await change("not the password", "another good password");
    await page.getByText("That is not your current password.").waitFor();
    await change(PASSWORD, "another good password");
    await page.getByText("Password changed").waitFor();

    await elsewhere.goto("/account");
    await elsewhere.waitForURL("**/signin?next=/account");
    await submitAccount(elsewhere, "Sign in", username, PASSWORD);
    await elsewhere.getByText("The username or the password is wrong.").waitFor();
    await submitAccount(elsewhere, "Sign in", username, "another good password");
    await atAccountOf(elsewhere, username);
    await page.reload();
    await atAccountOf(page, username);
  });

  test("rotates the token: the old one stops at once, the new one works", async () => {
    const { page, username } = await newMember(browser);
    const old = await revealedToken(page);
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    await page.getByRole("button", { name: "Rotate token" }).click();
    await page.getByText("This is your new token").waitFor();
    const fresh = (await page.getByText(/^lk_[\w-]{43}$/).textContent()) ?? "";
    expect((await me(old))?.code).toBe("invalid_token");
    expect((await me(fresh))?.username).toBe(username);
  });
});

describe("the rest of the account page", () => {
  test("lists the browsers that are signed in, and signs out one", async () => {
    const { page, username } = await newMember(browser);
    const { page: elsewhere, network } = await newVisitor(browser);
    await signIn(elsewhere, username);
    await page.reload();
    const signedIn = page.getByRole("region", { name: "Where you're signed in" });
    const other = signedIn.getByRole("listitem").filter({ hasText: network });
    await other.getByRole("button", { name: /^Sign out / }).click();
    await page.getByRole("status").getByText("has been signed out.").waitFor();
    await other.waitFor({ state: "detached" });
    await elsewhere.goto("/account");
    await elsewhere.waitForURL("**/signin?next=/account");
  });

  test("downloads everything, for nobody else", async () => {
    const { page, username } = await newMember(browser);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download everything" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`^latchkey-${username}-[0-9-]+\\.zip$`));
    const bytes = readFileSync(await download.path());
    expect(bytes.subarray(0, 2).toString()).toBe("PK");
    expect(bytes.includes("keys.json")).toBe(true);
    expect((await ask("/account/archive")).status).toBe(302);
  });

  test("deletes the account, and tells who held its keys", async () => {
    const { username, ...maker } = await newMember(browser);
    const { page: holding, username: holder } = await newMember(browser);
    const viewer = { ...(await findUser(username)), username };
    const key = await createKey(viewer, { data: "x", price: "1", name: "Shared" });
    await addHolder(viewer, await findKey(viewer, key.id), holder);
    await maker.page.reload();
    await maker.page.getByRole("button", { name: "Delete account" }).click();
    await maker.page.getByText("1 other holder loses access and will be told.").waitFor();
    const confirm = async (name: string, password: string) => {
      const dialog = maker.page.getByRole("dialog", { name: "Delete your account?" });
      await dialog.getByLabel("Your username").fill(name);
      await dialog.getByLabel("Your password").fill(password);
      await dialog.getByRole("button", { name: "Delete my account" }).click();
    };
    await confirm("somebody-else", PASSWORD);
    await maker.page.getByText("That isn't your username.").waitFor();
    await confirm(username, "wrong password");
    await maker.page.getByText("That is not your current password.").waitFor();
    await confirm(username, PASSWORD);
    await maker.page.getByText("Your account and everything in it have been deleted").waitFor();
    await holding.goto("/keys?list=given");
    await holding.getByText("and with it a key you held.").waitFor();
  });
});

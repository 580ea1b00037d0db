import { readFileSync } from "node:fs";
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findUser } from "@/lib/auth/users";
import { createKey } from "@/lib/keys/create";
import { findFor } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { approveRequest } from "@/lib/link/decide";
import { findRequest, type Person } from "@/lib/link/find";
import { ask } from "@/tests/support/http";
import { launchBrowser } from "./person";
import { newVisitor, PASSWORD, revealedToken, signUp, submitAccount } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const me = async (token: string) => (await ask("/me", { query: { auth: token } })).body;

describe("the account page", () => {
  test("changes the password and signs every other browser out", async () => {
    const [{ page }, { page: elsewhere }] = [await newVisitor(browser), await newVisitor(browser)];
    const username = await signUp(page);
    await elsewhere.goto("/signin?next=/account");
    await submitAccount(elsewhere, "Sign in", username);
    await elsewhere.getByRole("heading", { name: username }).waitFor();

    const change = async (current: string, next: string) => {
      await page.getByLabel("Current password").fill(current);
      await page.getByLabel("New password").fill(next);
      await page.getByRole("button", { name: "Change password" }).click();
    };
    await change("not the password", "another good password");
    await page.getByText("That is not your current password.").waitFor();
    await change(PASSWORD, "another good password");
    await page.getByText("Your password is changed").waitFor();

    await elsewhere.goto("/account");
    await elsewhere.waitForURL("**/signin?next=/account");
    await submitAccount(elsewhere, "Sign in", username, PASSWORD);
    await elsewhere.getByText("The username or the password is wrong.").waitFor();
    await submitAccount(elsewhere, "Sign in", username, "another good password");
    await elsewhere.getByRole("heading", { name: username }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: username }).waitFor();
  });

  test("rotates the token: the old one stops at once, the new one works", async () => {
    const { page } = await newVisitor(browser);
    const username = await signUp(page);
    const old = await revealedToken(page);
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    await page.getByRole("button", { name: "Rotate the token" }).click();
    await page.getByText("This is your new token").waitFor();
    const fresh = (await page.getByText(/^lk_[\w-]{43}$/).textContent()) ?? "";
    expect((await me(old))?.code).toBe("invalid_token");
    expect((await me(fresh))?.username).toBe(username);
  });
});

async function approve(id: string, network: string, code: string): Promise<void> {
  const person: Person = { id, network: { kind: "remote", id: network } };
  await approveRequest(person, await findRequest(person, code));
}

describe("the rest of the account page", () => {
  test("names linked programs and takes access away from them", async () => {
    const { page, network } = await newVisitor(browser);
    const { id } = await findUser(await signUp(page));
    const { body } = await ask("/link/code", { network, headers: { "User-Agent": "a-desktop-tool/1.0" } });
    await approve(id, network, String(body?.code));
    const token = String((await ask("/link/user", { query: { code: String(body?.code) }, network })).body?.token);
    await page.reload();
    await page.getByRole("region", { name: "Linked programs" }).getByText("a-desktop-tool").first().waitFor();
    await page.getByRole("button", { name: "Take access away" }).click();
    const dialog = page.getByRole("dialog", { name: "Take access away?" });
    await dialog.getByText("a-desktop-tool").waitFor();
    await dialog.getByRole("button", { name: "Rotate the token" }).click();
    await page.getByText("No program is linked.").waitFor();
    expect((await me(token))?.code).toBe("invalid_token");
  });

  test("shows the programs that were linked last, and all of them when asked", async () => {
    const { page, network } = await newVisitor(browser);
    const { id } = await findUser(await signUp(page));
    for (let n = 1; n <= 7; n++) {
      const { body } = await ask("/link/code", { network, headers: { "User-Agent": `tool-${n}/1.0` } });
      await approve(id, network, String(body?.code));
    }
    await page.reload();
    const programs = page.getByRole("region", { name: "Linked programs" });
    const shown = () => programs.locator("strong:visible").allTextContents();
    await expect.poll(shown).toEqual(["tool-7", "tool-6", "tool-5", "tool-4", "tool-3"]);
    await programs.getByText("2 more").filter({ visible: true }).click();
    await expect.poll(shown).toEqual(["tool-7", "tool-6", "tool-5", "tool-4", "tool-3", "tool-2", "tool-1"]);
  });

  test("lists the browsers that are signed in, and signs out one", async () => {
    const [{ page }, { page: elsewhere, network }] = [await newVisitor(browser), await newVisitor(browser)];
    const username = await signUp(page);
    await elsewhere.goto("/signin?next=/account");
    await submitAccount(elsewhere, "Sign in", username);
    await elsewhere.getByRole("heading", { name: username }).waitFor();
    await page.reload();
    const other = page.getByRole("listitem").filter({ hasText: network });
    await other.getByRole("button", { name: /^Sign out / }).click();
    await page.getByText("That browser is signed out.").waitFor();
    await other.waitFor({ state: "detached" });
    await elsewhere.goto("/account");
    await elsewhere.waitForURL("**/signin?next=/account");
  });

  test("downloads everything, for nobody else", async () => {
    const { page } = await newVisitor(browser);
    const username = await signUp(page);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download everything" }).click()]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`^latchkey-${username}-[0-9-]+\\.zip$`));
    const bytes = readFileSync(await download.path());
    expect(bytes.subarray(0, 2).toString()).toBe("PK");
    expect(bytes.includes("keys.json")).toBe(true);
    expect((await ask("/account/archive")).status).toBe(302);
  });

  test("deletes the account, and tells who held its keys", async () => {
    const [maker, { page: holding }] = [await newVisitor(browser), await newVisitor(browser)];
    const [username, holder] = [await signUp(maker.page), await signUp(holding)];
    const viewer = { ...(await findUser(username)), username };
    const key = await createKey(viewer, { data: "x", price: "1", name: "Shared" });
    await addHolder(viewer, await findFor(viewer, key.id), holder);
    await maker.page.reload();
    await maker.page.getByRole("button", { name: "Delete account" }).click();
    await maker.page.getByText("for the 1 other person who holds one too. They are told.").waitFor();
    const confirm = async (name: string, password: string) => {
      const dialog = maker.page.getByRole("dialog", { name: "Delete your account?" });
      await dialog.getByLabel("Your username").fill(name);
      await dialog.getByLabel("Your password").fill(password);
      await dialog.getByRole("button", { name: "Delete the account" }).click();
    };
    await confirm("somebody-else", PASSWORD);
    await maker.page.getByText("That is not your username.").waitFor();
    await confirm(username, "wrong password");
    await maker.page.getByText("That is not your current password.").waitFor();
    await confirm(username, PASSWORD);
    await maker.page.getByText("Your account is deleted").waitFor();
    await holding.goto("/keys?list=given");
    await holding.getByText("and with it a key that you held.").waitFor();
  });
});

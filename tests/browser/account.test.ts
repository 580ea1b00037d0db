import { readFileSync } from "node:fs";
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findUser } from "@/lib/auth/users";
import { createKey } from "@/lib/keys/create";
import { findFor } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { approveRequest } from "@/lib/link/decide";
import { findRequest } from "@/lib/link/find";
import { ask, origin } from "@/tests/support/http";
import { newUsername } from "@/tests/support/user";
import { launchBrowser } from "./person";
import { newVisitor, PASSWORD, revealedToken, signUp, submitAccount } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const me = async (token: string) => (await ask("/me", { query: { auth: token } })).body;

describe("signing up", () => {
  test("leads to the account, where the token is shown and copied only when asked", async () => {
    const { page, expectCalm } = await newVisitor(browser);
    const answers: string[] = [];
    page.on("response", async (response) => {
      if (response.request().method() === "GET") answers.push(await response.text().catch(() => ""));
    });
    const username = await signUp(page);
    await page.waitForLoadState("networkidle");
    expect(answers.length).toBeGreaterThan(2);
    for (const text of [...answers, await page.content()]) expect(text).not.toMatch(/lk_[\w-]{43}/);

    const token = await revealedToken(page);
    expect((await me(token))?.username).toBe(username);
    await page.getByRole("button", { name: "Hide", exact: true }).click();
    expect(await page.content()).not.toContain(token);
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    expectCalm();
  });

  test("refuses names that are taken, in any case, or not allowed, and passwords that are short", async () => {
    const { page } = await newVisitor(browser);
    const taken = await signUp(page);
    const { page: other } = await newVisitor(browser);
    await other.goto("/signup?next=/account");
    for (const [username, password, sentence] of [
      [taken.toUpperCase(), PASSWORD, "is taken"],
      ["no spaces", PASSWORD, "3 to 20 characters"],
      [newUsername(), "short", "8 characters"],
    ] as const) {
      await submitAccount(other, "Sign up", username, password);
      await other.getByRole("alert").filter({ hasText: sentence }).waitFor();
    }
    await submitAccount(other, "Sign up", newUsername());
    await other.waitForURL(`${origin}/account`);
  });
});

describe("signing in and out", () => {
  test("a person who signed out is out, the kept cookie too, and comes back with the password", async () => {
    const { page, context } = await newVisitor(browser);
    const username = await signUp(page);
    const cookies = await context.cookies();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("link", { name: "Sign in" }).first().waitFor();
    const { page: thief, context: stolen } = await newVisitor(browser);
    await stolen.addCookies(cookies);
    for (const window of [page, thief]) {
      await window.goto("/account");
      await window.waitForURL("**/signin?next=/account");
    }
    await submitAccount(page, "Sign in", username.toUpperCase());
    await page.getByRole("heading", { name: username }).waitFor();
  });

  test("a wrong password and an unknown name are answered with the same sentence", async () => {
    const { page } = await newVisitor(browser);
    const username = await signUp(page);
    const { page: other } = await newVisitor(browser);
    await other.goto("/signin");
    for (const name of [username, newUsername()]) {
      await submitAccount(other, "Sign in", name, "wrong password");
      await other.getByText("The username or the password is wrong.").waitFor();
      await other.reload();
    }
  });

  test("the session's cookie is out of scripts' reach, and no token is in any cookie", async () => {
    const { page, context } = await newVisitor(browser);
    await signUp(page);
    const token = await revealedToken(page);
    const cookies = await context.cookies();
    const session = cookies.find(({ name }) => name.endsWith("session-token"));
    expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax" });
    expect(await page.evaluate(() => document.cookie)).not.toContain("session-token");
    for (const { value } of cookies) expect(decodeURIComponent(value)).not.toContain(token);
  });
});

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

describe("the rest of the account page", () => {
  test("names linked programs and takes access away from them", async () => {
    const { page, network } = await newVisitor(browser);
    const { id } = await findUser(await signUp(page));
    const { body } = await ask("/link/code", { network, headers: { "User-Agent": "a-desktop-tool/1.0" } });
    await approveRequest({ id, network: { kind: "remote", id: network } }, await findRequest({ id }, String(body?.code)));
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
      await approveRequest({ id, network: { kind: "remote", id: network } }, await findRequest({ id }, String(body?.code)));
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

describe("every page", () => {
  test.each(["/", "/signin", "/signup", "/link", "/no-such-page"])("%s comes with a strict policy that its own scripts obey", async (path) => {
    const { page } = await newVisitor(browser);
    const refused: string[] = [];
    page.on("console", (message) => message.text().includes("Content Security Policy") && refused.push(message.text()));
    const headers = (await page.goto(path))?.headers() ?? {};
    await page.waitForLoadState("networkidle");
    const policy = headers["content-security-policy"] ?? "";
    expect(policy).toMatch(/script-src[^;]*'nonce-[\w+/=]+'/);
    expect(policy).not.toMatch(/script-src[^;]*'unsafe-(?:inline|eval)'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({ "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" });
    expect(refused).toEqual([]);
  });
});

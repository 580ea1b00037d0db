import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { startService } from "@/tests/support/service";
import { newUsername } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser } from "./person";
import { atAccountOf, newMember, newVisitor, PASSWORD, revealedToken, signUp, submitAccount } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const me = async (token: string) => (await ask("/me", { query: { auth: token } })).body;

describe("signing up", () => {
  test("leads to the account, where the token is shown and copied only when asked", async () => {
    const { page, expectCalm } = await newVisitor(browser);
    const answering: Promise<string>[] = [];
    page.on("response", (response) => {
      if (response.request().method() === "GET") answering.push(response.text().catch(() => ""));
    });
    const username = await signUp(page);
    await page.waitForLoadState("networkidle");
    const answers = await Promise.all(answering);
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
    const { username: taken } = await newMember(browser);
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
  test("after signing out, a kept cookie is useless, and the password signs in again", async () => {
    const { page, username, context } = await newMember(browser);
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
    await atAccountOf(page, username);
  });

  test("a wrong password and an unknown name are answered with the same sentence", async () => {
    const { username } = await newMember(browser);
    const { page: other } = await newVisitor(browser);
    await other.goto("/signin");
    for (const name of [username, newUsername()]) {
      await submitAccount(other, "Sign in", name, "wrong password");
      await other.getByText("The username or the password is wrong.").waitFor();
      await other.reload();
    }
  });

  test("the session's cookie is out of scripts' reach, and no token is in any cookie", async () => {
    const { page, context } = await newMember(browser);
    const token = await revealedToken(page);
    const cookies = await context.cookies();
    const session = cookies.find(({ name }) => name.endsWith("session-token"));
    expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax" });
    expect(await page.evaluate(() => document.cookie)).not.toContain("session-token");
    for (const { value } of cookies) expect(decodeURIComponent(value)).not.toContain(token);
  });
});

describe("signing in where it cannot work", () => {
  let elsewhere: Browser;
  beforeAll(async () => {
    elsewhere = await launchBrowser(["--host-resolver-rules=MAP keys.test 127.0.0.1"]);
  });
  afterAll(() => elsewhere?.close());

  test("says that the browser keeps no cookie: the service believes in https, and is opened by http", async () => {
    const { username } = await newMember(browser);
    const { page, context } = await newVisitor(elsewhere, undefined, {
      baseURL: `http://keys.test:${new URL(origin).port}`,
      extraHTTPHeaders: {
        "X-Forwarded-For": newNetwork().id,
        "X-Forwarded-Host": `keys.test:${new URL(origin).port}`,
        "X-Forwarded-Proto": "https",
      },
    });
    await page.goto("/signin?next=/keys");
    await submitAccount(page, "Sign in", username);
    await page.getByText("Your browser doesn't keep this service's cookies").waitFor();
    expect(page.url()).toContain("/signin?next=/keys");
    await context.close();
  });

  test("names the service's own address, and leads there without what may be secret", async () => {
    const service = await startService({ lane: "next", database: "sqlite" });
    const { page } = await newVisitor(elsewhere, undefined, {
      baseURL: `http://other.localhost:${new URL(service.url).port}`,
    });
    await page.goto("/signup?next=/keys#secret");
    const link = page.getByRole("link", { name: `Open this service at ${service.url}` });
    expect(await link.getAttribute("href")).toBe(`${service.url}/signup`);
    await expectGoodLooks(page);
    await submitAccount(page, "Sign up", newUsername());
    await page.getByText(`Open ${service.url} and try again.`).waitFor();
    await link.click();
    await page.waitForURL(`${service.url}/signup`);
    expect(await page.getByText("Some things don't work").count()).toBe(0);
    await service.stop();
  });
});

describe("every page", () => {
  test.each(["/", "/signin", "/signup", "/link", "/no-such-page"])(
    "%s comes with a strict policy that its own scripts obey",
    async (path) => {
      const { page } = await newVisitor(browser);
      const refused: string[] = [];
      page.on(
        "console",
        (message) => message.text().includes("Content Security Policy") && refused.push(message.text()),
      );
      const headers = (await page.goto(path))?.headers() ?? {};
      await page.waitForLoadState("networkidle");
      const policy = headers["content-security-policy"] ?? "";
      expect(policy).toMatch(/script-src[^;]*'nonce-[\w+/=]+'/);
      expect(policy).not.toMatch(/script-src[^;]*'unsafe-(?:inline|eval)'/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers).toMatchObject({ "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" });
      expect(refused).toEqual([]);
    },
  );
});

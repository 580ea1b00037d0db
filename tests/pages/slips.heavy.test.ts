import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { ask, origin } from "@/tests/support/http";
import { type RunningService, startService } from "@/tests/support/service";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser, newPerson } from "./person";
import { newMember, newVisitor, openReady, submitAccount } from "./visitor";

/** The id of an action that this build does not have. */
const NO_ACTION = `40${"0".repeat(40)}`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe("what people slip on", () => {
  test("blanks around names and prices are taken off", async () => {
    const { page, token } = await newPerson(browser);
    await page.getByRole("button", { name: "Create your first key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("  Spare  ");
    await page.getByLabel("Data", { exact: true }).fill(" x ");
    await page.getByLabel("Price").fill(" 2 ");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("heading", { name: "Spare" }).waitFor();
    const [key] = (await ask("/keys/mine", { query: { auth: token } })).list;
    expect(key).toMatchObject({ name: "Spare", price: 2, data: " x " });
  });

  test.each(["%00", "a%0Db", "%ED%A0%80", "%EF%BF%BF"])("a search for %s is a page like any other", async (search) => {
    const { page, expectCalm } = await newPerson(browser);
    await page.goto(`/keys?search=${search}`);
    await page.getByRole("heading", { name: "Keys", exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    expectCalm();
  });

  test("a key whose name cannot be typed as it is can still be deleted by typing it", async () => {
    const person = await newPerson(browser);
    const { id } = await createKey(person, { data: "x", price: "1", name: "Cafe\u0301\tau\nlait\u200b" });
    await person.page.goto(`/keys?key=${id}`);
    await person.page.getByRole("button", { name: "Delete", exact: true }).click();
    await person.page.getByLabel("Key name").fill("Café au lait");
    await person.page.getByRole("button", { name: "Delete key" }).click();
    await person.page.getByText("The key has been deleted.").waitFor();
  });

  test.each([
    "/keys?list=given&search=a%26b",
    "/account/activity?before=7",
    "/files?sort=size",
    "/admin/audit?who=ada",
  ])("signing in leads to the very page that was asked for: %s", async (path) => {
    const { page, username, context } = await newMember(browser);
    await context.clearCookies();
    await page.goto(path);
    await submitAccount(page, "Sign in", username);
    await page.waitForURL(`${origin}${path}`);
    if (!path.startsWith("/admin")) return;
    await page.getByText(`Only administrators can open this address, and ${username} isn't one.`).waitFor();
    await expectGoodLooks(page);
  });

  test.each(["Sign in", "Sign up"])("%s in the head forgets nothing of where the person was going", async (name) => {
    const { page } = await newVisitor(browser);
    await page.goto("/signin?next=/keys%3Flist%3Dgiven");
    const head = page.getByRole("navigation", { name: "Main" });
    await head.getByRole("link", { name }).click();
    await page.waitForURL((url) => url.searchParams.get("next") === "/keys?list=given");
    expect(new URL(page.url()).pathname).toBe(name === "Sign in" ? "/signin" : "/signup");
  });

  test("a code in the field of the link page outlasts signing in from the head, in no address", async () => {
    const { username, context } = await newMember(browser);
    await context.clearCookies();
    const { page } = await newVisitor(browser);
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await openReady(page, "/link");
    await page.getByLabel("Code").fill("KMTRWB");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Sign in" }).click();
    await submitAccount(page, "Sign in", username);
    await page.waitForURL(`${origin}/link`);
    await expect.poll(() => page.getByLabel("Code").inputValue()).toBe("KMTRWB");
    expect(addresses.join(" ")).not.toContain("KMTRWB");
  });

  test("a page of an earlier version of the service says so, and keeps what was typed", async () => {
    const { page } = await newPerson(browser);
    await page.getByRole("button", { name: "Create your first key" }).click();
    await page.getByLabel("Data", { exact: true }).fill("precious");
    // The names of actions are others in each version.
    await page.route("**/keys", (route) => {
      const headers = route.request().headers();
      return route.continue({ headers: { ...headers, ...(headers["next-action"] && { "next-action": NO_ACTION }) } });
    });
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("alert").filter({ hasText: "This page is of an earlier version" }).waitFor();
    expect(await page.getByLabel("Data", { exact: true }).inputValue()).toBe("precious");
    await expectGoodLooks(page);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("button", { name: "Create your first key" }).waitFor();

    await openReady(page, "/docs");
    await page.route("**/_next/static/chunks/**", (route) => route.fulfill({ status: 404 }));
    await page.getByLabel("Account menu").click();
    await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("alert").filter({ hasText: "This page is of an earlier version" }).waitFor();
  });

  test("who was signed out meanwhile is shown the way back in", async () => {
    const { page, context, username } = await newPerson(browser);
    await page.getByRole("button", { name: "Create your first key" }).click();
    await context.clearCookies();
    await page.getByLabel("Data", { exact: true }).fill("x");
    await page.getByRole("button", { name: "Create key" }).click();
    const opening = context.waitForEvent("page");
    await page.getByRole("alert").getByRole("link", { name: "Open sign-in in a new tab" }).click();
    const tab = await opening;
    await submitAccount(tab, "Sign in", username);
    await tab.waitForURL(`${origin}/keys`);
    // What was typed is still there.
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("Copy id").first().waitFor();
  });

  test("there is an icon at the old address, and no error to tell is none", async () => {
    const icon = await ask("/favicon.ico");
    expect([icon.status, icon.headers["content-type"]]).toEqual([200, "image/x-icon"]);
    const { headers } = await ask("/api/auth/error");
    expect(new URL(String(headers.location)).href).toBe(`${origin}/signin`);
  });
});

describe("where signing up is closed", () => {
  let service: RunningService;
  beforeAll(async () => {
    const name = "The single sign-on of a very long-winded institute for applied naming, department of names";
    const provider = { OIDC_ISSUER: "http://127.0.0.1:9", OIDC_ID: "a", OIDC_SECRET: "b", OIDC_NAME: name };
    service = await startService({ lane: "direct", database: "sqlite" }, { ALLOW_SIGNUP: "false", ...provider });
  });
  afterAll(() => service?.stop());

  test.each(["/", "/signin", "/link"])(
    "%s offers it nowhere, and shows a long name of a provider whole",
    async (path) => {
      const page = await browser.newPage({ baseURL: service.url, viewport: { width: 375, height: 700 } });
      if (path === "/link") {
        const { code } = await (await fetch(`${service.url}/link/code`)).json();
        await page.goto(`/link?code=${code}`);
        await page.getByRole("button", { name: "Continue", exact: true }).click();
        await page.getByRole("heading", { name: "Sign in to continue" }).waitFor();
      } else await page.goto(path);
      expect(await page.locator("a[href^='/signup']").count()).toBe(0);
      if (path !== "/") {
        const button = page.getByRole("button", { name: "Continue with The single sign-on" });
        const words = await button.getByText("Continue with").evaluate((label) => {
          const range = document.createRange();
          range.selectNodeContents(label);
          const { left, top, right, bottom } = range.getBoundingClientRect();
          return { left, top, right, bottom, overflow: getComputedStyle(label).overflow };
        });
        const around = await button.evaluate((element) => element.getBoundingClientRect().toJSON());
        expect(words.overflow).toBe("visible");
        for (const side of ["left", "top"] as const) expect(words[side]).toBeGreaterThanOrEqual(around[side]);
        for (const side of ["right", "bottom"] as const) expect(words[side]).toBeLessThanOrEqual(around[side]);
      }
      await page.close();
    },
  );

  test("/signup says who can make an account", async () => {
    const page = await browser.newPage({ baseURL: service.url });
    await page.goto("/signup");
    await page.getByText("Ask the operator of this service for an account").waitFor();
    await page.close();
  });
});

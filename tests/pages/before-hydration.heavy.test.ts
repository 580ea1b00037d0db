import { request } from "node:http";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { origin } from "@/tests/support/http";
import { makeUser, newUsername } from "@/tests/support/user";
import { launchBrowser, newPerson } from "./person";
import { atAccountOf, newMember, newVisitor, PASSWORD, submitAccount } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Opens a page whose scripts arrive only when the function that it answers is called. */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route("**/_next/static/**/*.js", async (route) => {
    await arrival;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  return arrive;
}

describe("a form that is sent before its script has loaded is sent when it has", () => {
  test("signing up and signing in", async () => {
    const { page, context, expectCalm } = await newVisitor(browser);
    const username = newUsername();
    let arrive = await openWithoutScripts(page, "/signup?next=/account");
    await submitAccount(page, "Sign up", username);
    arrive();
    await atAccountOf(page, username);
    await page.unrouteAll();

    await context.clearCookies();
    arrive = await openWithoutScripts(page, "/signin?next=/account");
    await submitAccount(page, "Sign in", ` ${username} `);
    arrive();
    await atAccountOf(page, username);
    expectCalm();
  });

  test("what was refused is still in the fields", async () => {
    const { page } = await newVisitor(browser);
    const arrive = await openWithoutScripts(page, "/signin");
    await submitAccount(page, "Sign in", "nobody-at-all", "wrong password");
    arrive();
    await page.getByText("The username or the password is wrong.").waitFor();
    expect(await page.getByLabel("Username").inputValue()).toBe("nobody-at-all");
    expect(page.url()).toBe(`${origin}/signin`);
  });

  test("changing the password", async () => {
    const { page } = await newMember(browser);
    const arrive = await openWithoutScripts(page, "/account");
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByLabel("New password").fill("another good passphrase");
    await page.getByRole("button", { name: "Change password" }).click();
    arrive();
    await page.getByText("Password changed").waitFor();
    expect(await page.getByLabel("New password").inputValue()).toBe("");
  });

  test("adding a holder, and typing a name", async () => {
    const person = await newPerson(browser);
    const other = await makeUser();
    const { id } = await createKey(person, { data: "x", price: "1", name: "before" });
    const arrive = await openWithoutScripts(person.page, `/keys?key=${id}`);
    await person.page.getByLabel("Name", { exact: true }).fill(" after ");
    await person.page.getByLabel("Add a user").fill(other.username);
    await person.page.getByRole("button", { name: "Add", exact: true }).click();
    arrive();
    await person.page.getByText(`${other.username} now holds the key.`).waitFor();
    await person.page.getByRole("button", { name: "Save", exact: true }).click();
    await person.page.getByText("Saved.", { exact: true }).waitFor();
    expect((await findKey(person, id)).name).toBe("after");
    person.expectCalm();
  });
});

describe("a button that is pressed before its script has loaded acts when it has", () => {
  test("the last one, and once", async () => {
    const { page, expectCalm } = await newMember(browser);
    const arrive = await openWithoutScripts(page, "/account");
    await page.getByRole("button", { name: "Rotate" }).click();
    const reveal = page.getByRole("button", { name: "Reveal" });
    await reveal.click();
    await reveal.click();
    expect(await page.locator("[data-pressed]").textContent()).toBe("Reveal");
    arrive();
    await page.getByRole("button", { name: "Hide", exact: true }).waitFor();
    expect(await page.locator("[data-pressed]").count()).toBe(0);
    expect(await page.getByRole("dialog").count()).toBe(0);

    await page.getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("dialog").waitFor();
    expectCalm();
  });

  test("and has the keyboard again afterwards", async () => {
    const { page, expectCalm } = await newMember(browser);
    const arrive = await openWithoutScripts(page, "/account");
    await page.getByRole("button", { name: "Reveal" }).focus();
    await page.keyboard.press("Enter");
    arrive();
    await page.getByRole("button", { name: "Hide", exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Hide");
    expectCalm();
  });
});

test("boxes that are ticked before their script has loaded count when it has", async () => {
  const person = await newPerson(browser);
  const { page } = person;
  for (const name of ["first", "second", "third"]) await createKey(person, { data: "x", price: "1", name });
  const arrive = await openWithoutScripts(page, "/keys");
  for (const name of ["first", "second", "third", "third"]) await page.getByLabel(`Select ${name}`).click();
  arrive();
  await page.getByText("2 selected").waitFor();
  const areTicked = ["first", "second", "third"].map((name) => page.getByLabel(`Select ${name}`).isChecked());
  expect(await Promise.all(areTicked)).toEqual([true, true, false]);
  await page.getByLabel("Select third").check();
  await page.getByText("3 selected").waitFor();
  person.expectCalm();
});

describe("without JavaScript", () => {
  test.each(["/signin", "/signup", "/link"])(
    "%s says so, sends nothing and keeps the password out of the address",
    async (path) => {
      const page = await browser.newPage({ baseURL: origin, javaScriptEnabled: false });
      await page.goto(path);
      expect((await page.locator("noscript p").boundingBox())?.height).toBeGreaterThan(20);
      const posted: string[] = [];
      page.on("request", (sent) => posted.push(sent.url()));
      for (const field of await page.locator("main input:visible").all()) await field.fill("typed");
      await page.locator("main button[type=submit]").first().click();
      await page.waitForTimeout(300);
      expect(posted).toEqual([]);
      expect(page.url()).toBe(`${origin}${path}`);
      await page.close();
    },
  );

  test.each(["/signin", "/signup", "/account", "/keys"])(
    "%s answers a form that somebody posts by hand without a fault",
    async (path) => {
      const status = await new Promise<number>((resolve, reject) => {
        const headers = { "Content-Type": "application/x-www-form-urlencoded" };
        request(`${origin}${path}`, { method: "POST", headers }, (response) =>
          resolve(response.resume().statusCode ?? 0),
        )
          .on("error", reject)
          .end("username=a&password=b");
      });
      expect(status).toBeLessThan(500);
    },
  );
});

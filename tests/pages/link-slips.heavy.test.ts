import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { expectGoodLooks } from "./good-looks";
import { enter, press, startProgram } from "./link-program";
import { launchBrowser } from "./person";
import { newMember, revealedToken, submitAccount } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe("linking", () => {
  test("opening addresses links nothing, however often", async () => {
    const { page, username, network } = await newMember(browser);
    const program = await startProgram(network);
    for (const path of [program.page, program.page, "/link", program.page, "/link"]) {
      await page.goto(path);
      await page.getByRole("heading", { name: `Link curl to ${username}?`, exact: true }).waitFor();
    }
    expect(await program.poll()).toEqual({ linked: false, token: "" });
  });

  test("a program without a name, or in a browser, gets none in the question", async () => {
    const { page, username, network } = await newMember(browser);
    for (const agent of ["", "Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0"]) {
      const { body } = await ask("/link/code", { network, headers: { "User-Agent": agent } });
      await page.goto(`/link?code=${body?.code}`);
      await page.getByRole("img", { name: `The letters ${[...String(body?.code)].join(" ")}` }).waitFor();
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(`Link this program to ${username}?`);
      expect(await page.getByText("The program chose the name").count()).toBe(0);
    }
  });

  test("an address with a code that does not exist says so, and keeps it in the field only", async () => {
    const { page } = await newMember(browser);
    await page.goto("/link?code=QXQXQX");
    await page.getByText("This code can't be used.").waitFor();
    expect(await page.getByLabel("Code").inputValue()).toBe("QXQXQX");
    expect(new URL(page.url()).search).toBe("");
  });

  test("a code that does not exist gets an error, and stays in the field for comparison", async () => {
    const { page } = await newMember(browser);
    await page.goto("/link");
    await enter(page, "QXQXQX");
    await page.getByText("This code can't be used.").waitFor();
    expect(await page.getByLabel("Code").inputValue()).toBe("QXQXQX");
    await enter(page, "abc");
    await page.getByRole("alert").filter({ hasText: /six/i }).waitFor();
  });
});

describe("warning", () => {
  test("the page says when a code was asked for elsewhere", async () => {
    const { page } = await newMember(browser);
    const program = await startProgram(newNetwork().id);
    await page.goto("/link");
    await enter(page, program.code);
    await page.getByText("from another network").waitFor();
  });

  test("access that was given is taken away again on the same page", async () => {
    const { page, network } = await newMember(browser);
    const program = await startProgram(network);
    await page.goto("/link");
    await enter(page, program.code);
    await press(page, "Link this program");
    const token = await program.token();
    await page.getByText("The program has collected your token.").waitFor();
    await page.getByText("Not you? Revoke access").click();
    await page.getByRole("button", { name: "Revoke access" }).click();
    await page.getByRole("heading", { name: "Access revoked" }).waitFor();
    expect((await ask("/me", { query: { auth: token } })).body?.code).toBe("invalid_token");
    expect(await revealedToken(page)).not.toBe(token);
  });
});

describe("two requests in one browser", () => {
  test("each stays in its tab: another site's link changes no page that asks about a program", async () => {
    const { page, context, network, expectCalm } = await newMember(browser);
    const [mine, theirs] = [await startProgram(network), await startProgram(network)];
    const plate = (on = page) => on.getByRole("img", { name: /^The letters/ });
    await page.goto("/link");
    await enter(page, mine.code);
    await page.getByText("Limit access").click();
    await page.getByRole("radio", { name: "Know who you are" }).check();

    const other = await context.newPage();
    await other.goto(theirs.page);
    await other.getByRole("button", { name: "Link this program" }).waitFor();
    await page.bringToFront();
    await page.getByText("Another program asks in another tab").waitFor();
    await expectGoodLooks(page);
    expect(await plate().textContent()).toBe(mine.code);
    expect(await page.getByRole("radio", { name: "Know who you are" }).isChecked()).toBe(true);
    await press(page, "Link this program");
    expect(await mine.token()).toMatch(/^lkt_/);
    expect(await theirs.poll()).toEqual({ linked: false, token: "" });
    await page.getByText("The program has collected its own token.").waitFor();

    for (const [on, { code }] of [[page, mine] as const, [other, theirs] as const]) {
      await on.reload();
      expect(await plate(on).textContent()).toBe(code);
      await on.goto("/keys");
      await on.goBack();
      await plate(on).waitFor();
      expect(await plate(on).textContent()).toBe(code);
      expect(on.url()).not.toContain(code);
    }
    await other.getByRole("button", { name: "Enter another code" }).click();
    await other.getByLabel("Code").waitFor();
    await page.reload();
    expect(await plate().textContent()).toBe(mine.code);
    expectCalm();
  });

  test("a browser keeps five; the page of an older one asks for its code again", async () => {
    const { page, context, network } = await newMember(browser);
    const addresses: string[] = [];
    for (let time = 0; time < 6; time++) {
      await page.goto((await startProgram(network)).page);
      await page.waitForURL(/request=/);
      addresses.push(page.url());
    }
    const kept = await context.cookies(page.url());
    expect(kept.filter(({ name }) => name.includes(".link.")).length).toBe(5);
    await page.goto(addresses[0] ?? "");
    await page.getByLabel("Code").waitFor();
    await page.goto(addresses[1] ?? "");
    await page.getByRole("button", { name: "Link this program" }).waitFor();
  });

  test("the address of a request shows nothing in another browser", async () => {
    const [{ page, network }, stranger] = [await newMember(browser), await newMember(browser)];
    const program = await startProgram(network);
    await page.goto(program.page);
    await page.getByRole("button", { name: "Link this program" }).waitFor();
    await page.waitForURL(/request=/);
    await stranger.page.goto(page.url());
    await stranger.page.getByLabel("Code").waitFor();
    expect(await stranger.page.getByText(program.code).count()).toBe(0);
  });

  test("a tab goes on with its own code after signing in", async () => {
    const { page, username, network, context } = await newMember(browser);
    await context.clearCookies();
    const [mine, theirs] = [await startProgram(network), await startProgram(network)];
    await page.goto("/link");
    await enter(page, mine.code);
    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor();
    const other = await context.newPage();
    await other.goto(theirs.page);
    await other.getByRole("button", { name: "Continue", exact: true }).click();
    await other.getByRole("heading", { name: "Sign in to continue" }).waitFor();
    await submitAccount(page, "Sign in", username);
    await press(page, "Link this program");
    expect(await mine.token()).toMatch(/^lk_/);
    expect(await theirs.poll()).toEqual({ linked: false, token: "" });
  });
});

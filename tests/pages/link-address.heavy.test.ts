import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { newUsername } from "@/tests/support/user";
import { enter, press, startProgram } from "./link-program";
import { launchBrowser } from "./person";
import { newMember, newVisitor, revealedToken, submitAccount } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe("linking", () => {
  test("with the program's own address goes straight to the question for who is signed in", async () => {
    const { page, username, network, expectCalm } = await newMember(browser);
    const program = await startProgram(network);
    await page.goto(program.page);
    await page.getByRole("heading", { name: `Link curl to ${username}?`, exact: true }).waitFor();
    expect(page.url()).not.toContain(program.code);
    expect((await program.poll())?.linked).toBe(false);
    await page.reload();
    await press(page, "Link this program");
    expect(await program.token()).toBe(await revealedToken(page));
    expectCalm();
  });

  test("keeps the code of the program's own address while a newcomer makes an account", async () => {
    const { page, network } = await newVisitor(browser);
    const program = await startProgram(network);
    await page.goto(program.page);
    expect(await page.getByLabel("Code").inputValue()).toBe(program.code);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor();
    expect(page.url()).not.toContain(program.code);
    await page.getByRole("link", { name: "Create an account" }).click();
    const username = newUsername();
    await submitAccount(page, "Sign up", username);
    await page.getByRole("heading", { name: `Link curl to ${username}?`, exact: true }).waitFor();
    expect((await program.poll())?.linked).toBe(false);
    await press(page, "Link this program");
    const token = await program.token();
    expect(token).toBe(await revealedToken(page));
  });

  test("takes the code out of an address that is pasted whole", async () => {
    const { page, network } = await newVisitor(browser);
    const program = await startProgram(network);
    await page.goto("/link");
    await page.evaluate((text) => navigator.clipboard.writeText(text), `Open <${program.page}>.`);
    await page.getByLabel("Code").focus();
    await page.keyboard.press("ControlOrMeta+V");
    await expect.poll(() => page.getByLabel("Code").inputValue()).toBe(program.code);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor();
  });

  test("keeps the code while a known person signs in", async () => {
    const { page, username, network, context } = await newMember(browser);
    await context.clearCookies();
    const program = await startProgram(network);
    await page.goto("/link");
    await enter(page, program.code);
    await submitAccount(page, "Sign in", username);
    await press(page, "Link this program");
    expect((await ask("/me", { query: { auth: await program.token() } })).body?.username).toBe(username);
  });
});

import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { newUsername } from "@/tests/support/user";
import { launchBrowser } from "./person";
import { newVisitor, revealedToken, signUp, submitAccount } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A program on `network`: it asks for a code and polls until it has the token. */
async function startProgram(network: string) {
  const { body, headers } = await ask("/link/code", { network, headers: { "User-Agent": "curl/8.5.0" } });
  const code = String(body?.code);
  const poll = async () => (await ask("/link/user", { query: { code }, network })).body;
  async function token(): Promise<string> {
    for (let attempt = 0; attempt < 150; attempt++) {
      const answer = await poll();
      if (answer?.linked) return String(answer.token);
      await sleep(200);
    }
    throw new Error("the program was never linked");
  }
  const page = /<(.+)>; rel="verification"/.exec(String(headers.link))?.[1] ?? "";
  return { code, poll, token, page };
}

async function enter(page: Page, text: string) {
  await page.getByLabel("Code").fill(text);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
}

const press = (page: Page, name: "Link this program" | "Deny") => page.getByRole("button", { name, exact: true }).click();

describe("linking", () => {
  test("gives a polling program the token that the account page shows", async () => {
    const { page, network, expectCalm } = await newVisitor(browser);
    const username = await signUp(page);
    const program = await startProgram(network);
    const collecting = program.token();
    await page.goto("/link");
    await enter(page, ` ${program.code.slice(0, 3).toLowerCase()}-${program.code.slice(3)} `);
    await page.getByRole("heading", { name: "Link this program?" }).waitFor();
    expect(await page.getByRole("img", { name: /^The letters/ }).textContent()).toBe(program.code);
    await page.getByText(username, { exact: true }).first().waitFor();
    await page.getByText("from your network").waitFor();
    await press(page, "Link this program");
    await page.getByText("The program has collected your token.").waitFor();
    expect(await collecting).toBe(await revealedToken(page));
    expectCalm();
  });

  test("keeps the code of the program's own address while a newcomer makes an account", async () => {
    const { page, network } = await newVisitor(browser);
    const program = await startProgram(network);
    await page.goto(program.page);
    expect(await page.getByLabel("Code").inputValue()).toBe(program.code);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.getByRole("heading", { name: "Sign in to go on" }).waitFor();
    expect(page.url()).not.toContain(program.code);
    await page.getByRole("link", { name: "Make an account" }).click();
    await submitAccount(page, "Sign up", newUsername());
    await page.getByRole("heading", { name: "Link this program?" }).waitFor();
    expect((await program.poll())?.linked).toBe(false);
    await press(page, "Link this program");
    const token = await program.token();
    expect(token).toBe(await revealedToken(page));
  });

  test("keeps the code while a known person signs in", async () => {
    const { page, network, context } = await newVisitor(browser);
    const username = await signUp(page);
    await context.clearCookies();
    const program = await startProgram(network);
    await page.goto("/link");
    await enter(page, program.code);
    await submitAccount(page, "Sign in", username);
    await press(page, "Link this program");
    expect((await ask("/me", { query: { auth: await program.token() } })).body?.username).toBe(username);
  });
});

describe("not linking", () => {
  test("a denied program gets nothing, and the person is told so", async () => {
    const { page, network } = await newVisitor(browser);
    await signUp(page);
    const program = await startProgram(network);
    await page.goto("/link");
    await enter(page, program.code);
    await press(page, "Deny");
    await page.getByRole("heading", { name: "Denied" }).waitFor();
    expect(await program.poll()).toEqual({ linked: false, token: "" });
  });

  test("opening addresses links nothing, however often", async () => {
    const { page, network } = await newVisitor(browser);
    await signUp(page);
    const program = await startProgram(network);
    for (let time = 0; time < 3; time++) await page.goto(program.page);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.getByRole("heading", { name: "Link this program?" }).waitFor();
    for (const path of ["/link", program.page, "/link"]) await page.goto(path);
    expect(await program.poll()).toEqual({ linked: false, token: "" });
  });

  test("a code that does not exist is told so, and stays in the field to be compared", async () => {
    const { page } = await newVisitor(browser);
    await signUp(page);
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
    const { page } = await newVisitor(browser);
    await signUp(page);
    const program = await startProgram(newNetwork().id);
    await page.goto("/link");
    await enter(page, program.code);
    await page.getByText("from another network").waitFor();
  });

  test("access that was given is taken away again on the same page", async () => {
    const { page, network } = await newVisitor(browser);
    await signUp(page);
    const program = await startProgram(network);
    await page.goto("/link");
    await enter(page, program.code);
    await press(page, "Link this program");
    const token = await program.token();
    await page.getByText("The program has collected your token.").waitFor();
    await page.getByText("Not you? Take access away").click();
    await page.getByRole("button", { name: "Take access away" }).click();
    await page.getByRole("heading", { name: "Access is taken away" }).waitFor();
    expect((await ask("/me", { query: { auth: token } })).body?.code).toBe("invalid_token");
    expect(await revealedToken(page)).not.toBe(token);
  });
});

import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { enter, press, startProgram } from "./link-program";
import { launchBrowser } from "./person";
import { newMember, revealedToken } from "./visitor";

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

import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { findUser } from "@/lib/user";
import { chunks, smallDocument } from "@/tests/support/documents";
import { ask } from "@/tests/support/http";
import { enter, press, startProgram } from "./link-program";
import { launchBrowser } from "./person";
import { newMember, revealedToken } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe("linking", () => {
  test("gives a polling program the token that the account page shows", async () => {
    const { page, username, network, expectCalm } = await newMember(browser);
    const program = await startProgram(network);
    const collecting = program.token();
    await page.goto("/link");
    await enter(page, ` ${program.code.slice(0, 3).toLowerCase()}-${program.code.slice(3)} `);
    await page.getByRole("heading", { name: `Link curl to ${username}?`, exact: true }).waitFor();
    await page.getByText("The program chose the name “curl” itself.").waitFor();
    expect(await page.getByRole("img", { name: /^The letters/ }).textContent()).toBe(program.code);
    await page.getByText(username, { exact: true }).first().waitFor();
    await page.getByText("from your network").waitFor();
    const timeLeft = () =>
      page
        .getByText(/^\d:\d\d$/)
        .first()
        .textContent();
    const before = await timeLeft();
    await expect.poll(timeLeft).not.toBe(before);
    await press(page, "Link this program");
    await page.getByText("The program has collected your token.").waitFor();
    expect(await collecting).toBe(await revealedToken(page));
    expectCalm();
  });
});

describe("a program that asks for an access", () => {
  test("gets a token of its own with no more, which stops alone", async () => {
    const { page, network, username, expectCalm } = await newMember(browser);
    await importDocument(await findUser(username), chunks(JSON.stringify(smallDocument(username))));
    const program = await startProgram(network, { name: "MyTool", access: "read" });
    await page.goto(program.page);
    await page.getByRole("heading", { name: `Link MyTool to ${username}?`, exact: true }).waitFor();
    await page.getByText("It gets a token of its own that can only read.").waitFor();
    await page.getByText("It can't create, change or delete anything").waitFor();
    await press(page, "Link this program");
    const token = await program.token();
    await page.getByText(`It can now read the keys and files of ${username}.`).waitFor();
    const send = (path: string, query = {}) => ask(path, { query: { auth: token, ...query }, network });
    expect((await send("/read-files")).status).toBe(200);
    expect((await send("/keys/create", { data: "x", price: "1" })).body?.code).toBe("token_access");

    const own = await revealedToken(page);
    await page.getByRole("button", { name: "Remove MyTool", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("MyTool has been removed.").waitFor();
    expect((await send("/read-files")).body?.code).toBe("invalid_token");
    expect((await ask("/me", { query: { auth: own } })).body?.username).toBe(username);
    expectCalm();
  });
});

describe("not linking", () => {
  test("a denied program gets nothing, and the page tells the person", async () => {
    const { page, network } = await newMember(browser);
    const program = await startProgram(network);
    await page.goto("/link");
    await enter(page, program.code);
    await press(page, "Deny");
    await page.getByRole("heading", { name: "Denied" }).waitFor();
    expect(await program.poll()).toEqual({ linked: false, token: "" });
  });
});

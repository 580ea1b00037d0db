import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { findUser } from "@/lib/user";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { expectGoodLooks } from "./good-looks";
import { press, startProgram } from "./link-program";
import { openForEach } from "./open-for-each";
import { newMember, type Visitor } from "./visitor";

// The token that a program gets, as its user chooses it on the link page.

let visitor: Visitor;
let page: Page;
let username: string;
openForEach(newMember, (member) => {
  visitor = member;
  ({ page, username } = member);
});

/** A program that asks with this, at the step where it is decided. */
async function startAsking(wish: Record<string, string> = {}, network = visitor.network) {
  const program = await startProgram(network, wish);
  await page.goto(program.page);
  await page.getByRole("button", { name: "Link this program", exact: true }).waitFor();
  return program;
}

const change = () => page.locator("summary").filter({ hasText: "Limit access" }).click();
const choice = (name: string) => page.getByRole("radio", { name });
const offered = () => page.getByRole("group", { name: "What it may do" }).locator("label").allTextContents();
const tokenOf = async () => db.accessToken.findFirst({ where: { userId: (await findUser(username)).id } });
/** What the page says that the program will be able to do, and not. */
const abilities = () => page.getByRole("listitem").filter({ visible: true }).allTextContents();

describe("what is proposed", () => {
  test("a program that asks for nothing: the account's token, and everything else can be chosen", async () => {
    await startAsking();
    await page.getByText("It gets your account's token, which other programs may share.").waitFor();
    expect(await abilities()).toEqual([
      "Read all your files",
      "View, change and delete your keys",
      "Create keys and add holders in your name",
      "It can't change your password or delete your account",
    ]);
    await change();
    expect(await offered()).toEqual([
      "Everything, with your account's token" + "To stop it later, you have to stop every program that has this token.",
      "Everything, with a token of its ownYou can later stop it alone.",
      "Read keys and files",
      "Know who you are (name and role only)",
    ]);
    expect(await choice("In 30 days").isVisible()).toBe(false);
    await expectGoodLooks(page);
  });

  test.each([
    ["everything", "that can do everything", 3],
    ["read", "that can only read", 2],
    ["identity", "that only says who you are", 1],
  ])("a program that asks for %s: no more than that", async (access, words, most) => {
    await startAsking({ name: "My “Tool” <b>", access });
    await page.getByRole("heading", { name: `Link My “Tool” <b> to ${username}?`, exact: true }).waitFor();
    await page.getByText(`It gets a token of its own ${words}.`).waitFor();
    expect((await abilities()).length).toBeLessThanOrEqual(4);
    await expectGoodLooks(page);
    await change();
    expect(await offered()).toHaveLength(most);
    expect(await choice("Never").isChecked()).toBe(true);
    await expectGoodLooks(page);
    await press(page, "Link this program");
    await page.getByRole("heading", { name: "Go back to your program" }).waitFor();
    expect(await tokenOf()).toMatchObject({ name: "My “Tool” <b>", access, expiresAt: null });
  });

  test("the words are right and the choice counts before the page's script has loaded", async () => {
    const program = await startProgram(visitor.network);
    await page.goto(program.page);
    await page.getByRole("button", { name: "Link this program", exact: true }).waitFor();
    let arrive = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route("**/_next/static/**/*.js", async (route) => {
      await arrival;
      await route.continue();
    });
    await page.goto("/link", { waitUntil: "commit" });
    await change();
    await choice("Read keys and files").check();
    await page.getByText("It gets a token of its own that can only read.").waitFor();
    expect(await abilities()).toContain("It can't create, change or delete anything");
    await press(page, "Link this program");
    arrive();
    await page.getByRole("heading", { name: "Go back to your program" }).waitFor();
    expect(await tokenOf()).toMatchObject({ access: "read" });
  });
});

describe("what is chosen", () => {
  test("less than was asked, for a day", async () => {
    const program = await startAsking({ name: "MyTool", access: "everything" });
    await change();
    await choice("Know who you are").check();
    await choice("In 1 day").check();
    await page.getByText("It gets a token of its own that only says who you are.").waitFor();
    await page.getByText("It expires in 1 day.").waitFor();
    await press(page, "Link this program");
    const token = await program.token();
    await page.getByText(`It now knows that you are ${username}.`).waitFor();
    await expectGoodLooks(page);
    const { body } = await ask("/me", { query: { auth: token }, network: visitor.network });
    expect(body).toEqual({ username, role: "user" });
    const row = await tokenOf();
    expect((row?.expiresAt?.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)).toBe(86_400_000);
  });

  test("more than was asked is refused, and the choice is kept", async () => {
    await startAsking({ name: "MyTool", access: "read" });
    await change();
    await choice("Know who you are").check();
    await choice("Know who you are").evaluate((input: HTMLInputElement) => {
      input.value = "everything";
    });
    await press(page, "Link this program");
    await page.getByText("The program asked for less access than that.").waitFor();
    expect(await tokenOf()).toBeNull();
    expect(await choice("In 1 day").isVisible()).toBe(true);
  });

  test("the account's token is not for a program that asked for less", async () => {
    await startAsking({ name: "MyTool", access: "everything" });
    await change();
    await choice("Everything").evaluate((input: HTMLInputElement) => {
      input.value = "account";
    });
    await press(page, "Link this program");
    await page.getByText("The program asked for less access than that.").waitFor();
  });
});

describe("revoking on the link page", () => {
  test("removes the program's own token alone", async () => {
    const program = await startAsking({ name: "First", access: "read" });
    await press(page, "Link this program");
    const first = await program.token();
    await page.getByRole("heading", { name: "Your program is linked" }).waitFor();
    const second = await startAsking({ name: "Second", access: "read" }, newNetwork().id);
    await page.getByText("from another network").waitFor();
    await expectGoodLooks(page);
    await press(page, "Link this program");
    const token = await second.token();
    await page.getByRole("heading", { name: "Your program is linked" }).waitFor();
    await page.getByText("Not you? Revoke access").click();
    await page.getByText("Its token stops working immediately. No other program is affected.").waitFor();
    await expectGoodLooks(page);
    await page.getByRole("button", { name: "Revoke access" }).click();
    await page.getByRole("heading", { name: "Access revoked" }).waitFor();
    const me = async (auth: string) => (await ask("/me", { query: { auth } })).body;
    expect((await me(token))?.code).toBe("invalid_token");
    expect((await me(first))?.username).toBe(username);
  });

  test("rotates the account's token, and says which programs go on", async () => {
    const own = await startAsking({ name: "Independent", access: "read" });
    await press(page, "Link this program");
    const kept = await own.token();
    await page.getByRole("heading", { name: "Your program is linked" }).waitFor();
    const sharing = await startAsking();
    await press(page, "Link this program");
    const token = await sharing.token();
    await page.getByRole("heading", { name: "Your program is linked" }).waitFor();
    await page.getByText("Not you? Revoke access").click();
    await page.getByText("These programs lose access until you link them again:").waitFor();
    await page.getByText("These have tokens of their own, and keep working:").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Independent" }).waitFor();
    await page.getByRole("button", { name: "Revoke access" }).click();
    await page.getByRole("heading", { name: "Access revoked" }).waitFor();
    const me = async (auth: string) => (await ask("/me", { query: { auth } })).body;
    expect((await me(token))?.code).toBe("invalid_token");
    expect((await me(kept))?.username).toBe(username);
  });
});

import { expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { expectGoodLooks } from "./good-looks";
import { startProgram } from "./link-program";
import { button, heading, holdBack, press, pressTo, told } from "./on-page";
import { newSignedIn } from "./visitor";

// The token that a program gets, as its user chooses it on the link page.

const visitor = await newSignedIn();
const { page, username } = visitor;

/** A program that asks with this, at the step where it is decided. */
async function startAsking(wish: Record<string, string> = {}, network = visitor.network) {
  const program = await startProgram(network, wish);
  await page.goto(program.page);
  await button(page, "Link this program").waitFor();
  return program;
}

const change = () => page.locator("summary").filter({ hasText: "Details" }).click();
const choice = (name: string) => page.getByRole("radio", { name });
const offered = () => page.getByRole("group", { name: "What it may do" }).locator("label").allTextContents();
const tokenOf = (name: string) => db.accessToken.findFirst({ where: { userId: visitor.id, name } });
/** What the page says that the program will be able to do, and not. */
const abilities = () => page.getByRole("listitem").filter({ visible: true }).allTextContents();
const me = async (auth: string) => (await ask("/me", { query: { auth } })).body;

test("of a program that asks for nothing: the account's is proposed, and everything else can be chosen", async () => {
  await startAsking();
  await told(page, "It can do almost everything you can.");
  await change();
  await told(page, "It gets your account's token, which other programs may share.");
  expect(await abilities()).toEqual([
    "Read all your files",
    "View, change and delete your keys",
    "Create keys and add holders in your name",
    "Prove to any server that it's you",
    "It can't change your password or delete your account",
  ]);
  expect(await offered()).toEqual([
    "Everything, with your account's token" + "To stop it later, you have to stop every program that has this token.",
    "Everything, with a token of its ownYou can later stop it alone.",
    "Read keys and files",
    "Know who you are (name and role only)",
  ]);
  expect(await choice("In 30 days").isVisible()).toBe(false);
  await expectGoodLooks(page);
});

test("a program that asks for an access: no more than that, whatever is sent; a refused choice is kept", async () => {
  await startAsking({ name: "Everything", access: "everything" });
  await change();
  expect(await offered()).toHaveLength(3);

  const name = "My “Tool” <b>";
  await startAsking({ name, access: "read" });
  await heading(page, `Link ${name} to ${username}?`);
  await told(page, "It can read your keys and files, and change nothing.");
  await change();
  await told(page, "It gets a token of its own that can only read.");
  expect(await offered()).toHaveLength(2);
  expect(await choice("Never").isChecked()).toBe(true);
  await choice("Know who you are").check();
  await choice("Know who you are").evaluate((input: HTMLInputElement) => {
    input.value = "everything";
  });
  await press(page, "Link this program", "The program asked for less access than that.");
  const { y = 0, height = 0 } = (await page.getByText("The program asked for less").boundingBox()) ?? {};
  expect([y > 0, y + height <= (page.viewportSize()?.height ?? 0)]).toEqual([true, true]);
  expect(await tokenOf(name)).toBeNull();
  expect(await choice("In 1 day").isVisible()).toBe(true);
  await choice("Read keys and files").check();
  await pressTo(page, "Link this program", "Go back to your program");
  expect(await tokenOf(name)).toMatchObject({ access: "read", expiresAt: null });
});

test("the words are right and the choice counts before the page's script has loaded", async () => {
  await startAsking();
  const arrive = await holdBack(page, "**/_next/static/**/*.js");
  await page.goto("/link", { waitUntil: "commit" });
  await change();
  await choice("Read keys and files").check();
  await told(page, "It gets a token of its own that can only read.");
  expect(await abilities()).toContain("It can't create, change or delete anything");
  // A press counts only in a page that can see whether it comes too early.
  expect(await button(page, "Link this program").isDisabled()).toBe(true);
  arrive();
  await press(page, "Link this program");
  await heading(page, "Go back to your program");
  expect(await tokenOf("curl")).toMatchObject({ access: "read" });
});

test("less than was asked is chosen, for a day; revoked on the page, it stops alone", async () => {
  const program = await startAsking({ name: "MyTool", access: "everything" }, newNetwork().id);
  await told(page, /^The request came from another network/);
  await change();
  await choice("Know who you are").check();
  await choice("In 1 day").check();
  await page.getByRole("checkbox", { name: /^Yes, my program shows/ }).check();
  await told(page, "It gets a token of its own that only says who you are.", "It expires in 1 day.");
  await press(page, "Link this program");
  const token = await program.token();
  await told(page, `It now knows that you are ${username}.`);
  expect(await me(token)).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), username, role: "user" });
  const row = await tokenOf("MyTool");
  expect((row?.expiresAt?.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)).toBe(86_400_000);

  await page.getByText("Not you? Revoke access").click();
  await told(page, "Its token stops working immediately. No other program is affected.");
  await pressTo(page, "Revoke access", "Access revoked");
  expect((await me(token))?.code).toBe("invalid_token");
  expect((await me(visitor.token))?.username).toBe(username);
});

import { beforeEach, describe, expect, test } from "vitest";
import { tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import { db } from "@/lib/platform/db/client";
import { newNetwork } from "@/tests/support/request";
import { expectGoodLooks } from "./good-looks";
import { codeFrom, enter, startProgram } from "./link-program";
import { button, heading, holdBack, press, pressTo, told, windowOf } from "./on-page";
import { GAME, GAME_SITE, newSurfer, openSite } from "./opener";
import { me, newSignedIn } from "./visitor";

// The token that a program gets, as its user chooses it on the link page, and to whom it can prove who that is.

const visitor = await newSignedIn();
const { page, username } = visitor;
// An approved request is shown in place of the next one until its program has come.
beforeEach(() => visitor.context.clearCookies({ name: /\.link\./ }));

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

test("of a program that asks for nothing: the account's is proposed, and everything else can be chosen", async () => {
  await startAsking();
  await told(page, "It can do almost everything you can.", "It can prove to any server that it's you.");
  await change();
  expect(await abilities()).toContain("View, change and delete your keys");
  expect(await offered()).toEqual([
    expect.stringContaining("Everything, with your account's token"),
    expect.stringContaining("Everything, with a token of its own"),
    "Read keys and files",
    "Know who you are (name and role only)",
  ]);
  expect(await choice("In 30 days").isVisible()).toBe(false);
  await expectGoodLooks(page);
});

test("a program that asks for an access: no more than that, whatever is sent; a refused choice is kept", async () => {
  const name = "My “Tool” <b>";
  await startAsking({ name, access: "read" });
  await heading(page, `Link ${name} to ${username}?`);
  await told(page, "It can read your keys and files, and change nothing.");
  await change();
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
  await pressTo(page, "Link this program", "Go back to your program");
  expect(await tokenOf("curl")).toMatchObject({ access: "read" });
});

test("less than was asked is chosen, for a day; revoked on the page, it stops alone", async () => {
  const program = await startAsking({ name: "MyTool", access: "everything" }, newNetwork().id);
  await told(page, /^The request came from another network/);
  await change();
  await choice("Know who you are").check();
  await choice("In 1 day").check();
  await page.getByRole("checkbox", { name: /^Yes, my program shows/ }).check();
  await told(page, "It expires in 1 day.");
  await press(page, "Link this program");
  const token = await program.token();
  await told(page, `It now knows that you are ${username}.`);
  const row = await tokenOf("MyTool");
  expect(row?.access).toBe("identity");
  expect((row?.expiresAt?.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)).toBe(86_400_000);

  await page.getByText("Not you? Revoke access").click();
  await told(page, "Its token stops working immediately. No other program is affected.");
  await pressTo(page, "Revoke access", "Access revoked");
  expect((await me(token))?.code).toBe("invalid_token");
  expect((await me(visitor.token))?.username).toBe(username);
});

describe("the page says to whom the program can prove who its user is", () => {
  const OTHER = "chat.example";

  test("to a server that it names, whatever is selected", async () => {
    await startAsking({ name: "My Game", access: "read", audience: OTHER });
    await told(page, `It can prove to ${OTHER} that it's you.`, `My Game can then sign in to ${OTHER} as you.`);
    await change();
    await choice("Know who you are").check();
    await told(page, `It can prove to ${OTHER} that it's you.`);
    await pressTo(page, "Link this program", "Go back to your program");
    expect(await tokensOf(visitor.id)).toContainEqual(expect.objectContaining({ audiences: [OTHER] }));
  });

  test("to one with its own name, if it names none and gets a token of its own", async () => {
    await startAsking({ name: "My Game" });
    await change();
    await choice("Read keys and files").check();
    await told(page, "It can prove to My Game that it's you.");
    expect(await page.getByText("sign in to").count()).toBe(0);
  });

  test("to its host, of a page that is linked by letters; of one that hides it, to nobody", async () => {
    await enter(page, await codeFrom(visitor.network, { Origin: "https://game.example" }));
    await told(page, "A web page at game.example is asking for access.", "It can prove to game.example that it's you.");
    await enter(page, await codeFrom(newNetwork().id, { Origin: "null" }));
    await button(page, "Link this program").waitFor();
    expect(await page.getByText("It can prove to").filter({ visible: true }).count()).toBe(0);
  });

  test("of a page that asks for another site's audience: a warning, and its name on the button", async () => {
    const person = await newSignedIn(await newSurfer());
    const site = await openSite(person, GAME);
    const opened = await windowOf(site, () =>
      site.evaluate((audience) => {
        const begin = Reflect.get(window, "begin") as (access: string, audience: string) => void;
        begin("identity", audience);
      }, OTHER),
    );
    await told(opened, `${GAME_SITE} can then sign in to ${OTHER} as you.`);
    await expectGoodLooks(opened);
    const allow = `Let ${GAME_SITE} prove to ${OTHER} that it's you`;
    await button(opened, allow).waitFor();
    await Promise.all([opened.waitForEvent("close"), press(opened, allow)]);
    await told(site, `Hello, ${person.username}`);
    expect(await tokensOf(person.id)).toMatchObject([{ name: GAME_SITE, audiences: [OTHER] }]);
  });
});

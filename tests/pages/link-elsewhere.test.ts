import { beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { approve } from "@/tests/contract/link";
import { enter as enterAs } from "@/tests/link/flow";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { confirmOn, identityDialog, letProofsPass } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { enterNew, link, tokenFor } from "./link-program";
import { button, heading, press, pressTo, submit, told } from "./on-page";
import { newSignedIn, untilReady } from "./visitor";

// Programs on other networks, web pages, other people, and stolen sessions.

const visitor = await newSignedIn();
const { page, username } = visitor;

// An approved request is shown in place of the field until its program has come.
beforeEach(() => visitor.context.clearCookies({ name: /\.link\./ }));

const dialog = () => identityDialog(page);

/** A code from this network, which is asked about after the last proof was long ago. */
async function enterLate(network: string): Promise<string> {
  const code = await enterNew(page, network);
  await letProofsPass(username);
  return code;
}

describe("a program on another network than it asked from", () => {
  test("gets the token when the person confirms and presses Allow, and not before", async () => {
    const code = await enterNew(page, visitor.network);
    await link(page);
    const moved = newNetwork().id;
    expect(await tokenFor(code, moved)).toBe("");
    await told(page, "A program on another network wants your token.");
    await told(page, `It calls itself my-tool on Linux and is asking from ${moved}.`);
    await expectGoodLooks(page);
    await letProofsPass(username);
    await press(page, "Allow");
    await dialog().waitFor();
    expect(await tokenFor(code, moved)).toBe("");
    await confirmOn(page);
    await told(page, "You have allowed it. It gets the token when it asks again.");
    expect(await tokenFor(code, newNetwork().id)).toBe("");
    expect(await tokenFor(code, moved)).toMatch(/^lk_/);
    await heading(page, "Your program is linked");
    visitor.expectCalm();
  });

  test("gets nothing when the person turns it away, without a proof, and the program itself still does", async () => {
    const code = await enterNew(page, visitor.network);
    await link(page);
    const stranger = newNetwork().id;
    expect(await tokenFor(code, stranger)).toBe("");
    await letProofsPass(username);
    await press(page, "Don't allow");
    await button(page, "Don't allow").waitFor({ state: "detached" });
    expect(await dialog().count()).toBe(0);
    expect(await tokenFor(code, stranger)).toBe("");
    expect(await tokenFor(code, visitor.network)).toMatch(/^lk_/);
    await heading(page, "Your program is linked");
    await told(page, "A program on 1 other network has asked for this token.");
  });
});

describe("after the last proof was long ago", () => {
  test("the page asks where the code came from another network, and keeps the decision", async () => {
    const elsewhere = newNetwork().id;
    const code = await enterLate(elsewhere);
    await page.locator("summary").filter({ hasText: "Details" }).click();
    await page.getByRole("radio", { name: "Know who you are" }).check();
    await press(page, "Link this program");
    await press(dialog(), "Cancel");
    expect(await tokenFor(code, elsewhere)).toBe("");
    expect(await page.getByRole("radio", { name: "Know who you are" }).isChecked()).toBe(true);
    await press(page, "Link this program");
    await confirmOn(page);
    await heading(page, "Go back to your program");
    expect(await tokenFor(code, elsewhere)).toMatch(/^lkt_/);
    visitor.expectCalm();
  });

  test("it asks nobody on the program's network, nor who denies; but in what may be a stolen session", async () => {
    const own = await enterLate(visitor.network);
    await link(page);
    expect(await tokenFor(own, visitor.network)).toMatch(/^lk_/);
    await enterLate(newNetwork().id);
    await pressTo(page, "Deny", "Denied");
    expect(await dialog().count()).toBe(0);

    const code = await enterLate(visitor.network);
    await db.session.updateMany({ where: { userId: visitor.id }, data: { network: newNetwork().id } });
    await press(page, "Link this program");
    await dialog().waitFor();
    expect(await tokenFor(code, visitor.network)).toBe("");
    await confirmOn(page);
    await heading(page, "Go back to your program");
    expect(await tokenFor(code, visitor.network)).toMatch(/^lk_/);
    await db.session.updateMany({ where: { userId: visitor.id }, data: { network: visitor.network } });
  });
});

test("a web page that hides its address needs a second press", async () => {
  const hidden = { Origin: "null", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };
  const code = await enterNew(page, visitor.network, hidden);
  await told(page, "A web page that hides its address is asking for access.");
  await link(page);
  expect(await tokenFor(code, visitor.network, hidden)).toBe("");
  await heading(page, "Allow this program?");
  await told(page, "A web page that hides its address wants your token.");
  // It asks from the network that asked for the code, and is named above.
  expect(await page.getByText("other network").count()).toBe(0);
  await pressTo(page, "Allow", "Go back to your program");
  expect(await tokenFor(code, visitor.network)).toBe("");
  expect(await tokenFor(code, visitor.network, hidden)).toMatch(/^lkt_/);
});

describe("somebody else who enters the code", () => {
  test("is named to the person who links it, and so is a repeated collection", async () => {
    const [onlooker, network] = [await makeUser(), newNetwork()];
    const code = await enterNew(page, visitor.network);
    await enterAs(onlooker, code, new Date(), network);
    await link(page);
    for (let time = 0; time < 3; time++) expect(await tokenFor(code, visitor.network)).toMatch(/^lk_/);
    await heading(page, "Your program is linked");
    await told(page, "It asked again 2 times");
    await page.getByText("1 other person has entered this code.").click();
    await told(page, onlooker.username, network.id);
    await expectGoodLooks(page);
  });

  test("sees the same page once it was decided, however often, and is told only that it is of no use", async () => {
    const words = async () => {
      await button(page, "Link this program").waitFor();
      const text = (await page.getByRole("main").textContent()) ?? "";
      return text.replace(/\d+ (?:second|minute)s? ago|A moment ago|\d+:\d\d/g, "");
    };
    const code = await enterNew(page, newNetwork().id);
    const before = await words();
    expect(before).toContain(username);
    await approve(code, await makeUser());
    await page.reload();
    await untilReady(page);
    expect(await words()).toBe(before);
    await press(page, "Enter another code");
    await page.getByLabel("Code").waitFor();
    await submit(page, { Code: code }, "Continue");
    expect(await words()).toBe(before);
    await pressTo(page, "Link this program", "This code can't be used");
    for (const name of ["Link this program", "Deny"]) expect(await button(page, name).count()).toBe(0);
  });
});

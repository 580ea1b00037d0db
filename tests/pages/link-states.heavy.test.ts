import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { findUser } from "@/lib/user";
import { age, poll } from "@/tests/contract/link";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { makeUser, newUsername, type TestUser } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import type { Visitor } from "./visitor";
import { newMember } from "./visitor";

let visitor: Visitor;
let page: Page;
let user: Pick<TestUser, "id" | "username">;
openForEach(newMember, async (member) => {
  visitor = member;
  page = member.page;
  user = await findUser(member.username);
});

/** A program on `network` gets a code. */
async function codeFrom(network: string): Promise<string> {
  return String(
    (await ask("/link/code", { network, headers: { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0" } }))
      .body?.code,
  );
}

async function enter(text: string) {
  await page.goto("/link");
  await page.getByLabel("Code").fill(text);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
}

/** A code of this visitor's network, at the step where it is decided. */
async function enterNew(network = visitor.network): Promise<string> {
  const code = await codeFrom(network);
  await enter(code);
  await page.getByRole("button", { name: "Link this program", exact: true }).waitFor();
  return code;
}

const heading = (name: string) => page.getByRole("heading", { name, exact: true }).waitFor();

/**
 * As narrow as a small phone, and as a window of 1280 px that is enlarged to 400 %; then at the usual sizes, light and
 * dark.
 */
async function expectToFit() {
  for (const size of [
    { width: 320, height: 640 },
    { width: 320, height: 256 },
  ]) {
    await page.setViewportSize(size);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
    for (const shown of await page.getByRole("main").locator("button, input:visible, h1, [role=img]").all()) {
      const box = await shown.boundingBox();
      if (box) expect(box.x + box.width, await shown.innerHTML()).toBeLessThanOrEqual(size.width);
    }
  }
  await expectGoodLooks(page);
}

describe("at 320 px, enlarged to 400 %, and by axe-core", () => {
  test("the field, with something wrong in it", async () => {
    await enter("ABC");
    await page.getByText("A code has six letters; you entered 3.").waitFor();
    await expectToFit();
  });

  test("signing in first", async () => {
    await visitor.context.clearCookies();
    await enter(await codeFrom(visitor.network));
    await heading("Sign in to continue");
    await expectToFit();
  });

  test("a code from one's own network, typed with letters of another alphabet", async () => {
    const code = await codeFrom(visitor.network);
    const cyrillic: Record<string, string> = {
      A: "А",
      B: "В",
      C: "С",
      E: "Е",
      H: "Н",
      K: "К",
      M: "М",
      P: "Р",
      T: "Т",
      X: "Х",
    };
    await enter(
      `${[...code].map((letter) => cyrillic[letter] ?? String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)).join("")}`,
    );
    await page.getByText("You typed letters from another alphabet").waitFor();
    expect(await page.getByRole("img", { name: /^The letters/ }).textContent()).toBe(code);
    await expectToFit();
  });

  test("a code from another network, whose address is not told", async () => {
    const elsewhere = newNetwork().id;
    await enterNew(elsewhere);
    await page.getByText(/ago, from another network: Chrome on Linux$/).waitFor();
    expect(await page.content()).not.toContain(elsewhere);
    await expectToFit();
  });

  test("a linked program that has not collected yet, and has, and no longer may", async () => {
    const code = await enterNew();
    await page.getByRole("button", { name: "Link this program", exact: true }).click();
    await heading("Go back to your program");
    await expectToFit();
    await poll(code, visitor.network);
    await heading("Your program is linked");
    await page.getByText("Not you? Revoke access").click();
    await page.getByText("These programs lose access").waitFor();
    await expectToFit();
    await page.getByRole("button", { name: "Revoke access" }).click();
    await heading("Access revoked");
    await expectToFit();
  });

  test("a visit some time after a program was linked, to link another one", async () => {
    const code = await enterNew();
    await page.getByRole("button", { name: "Link this program", exact: true }).click();
    await heading("Go back to your program");
    await poll(code, visitor.network);
    await heading("Your program is linked");
    const collectedAt = new Date(Date.now() - 180_000);
    await db.linkCode.updateMany({ where: { userId: user.id }, data: { collectedAt } });
    await page.goto("/link");
    await heading("Link a program");
    await expect.poll(() => page.getByLabel("Code").evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByRole("img", { name: /^The letters/ }).waitFor();
    await expectToFit();
    await enter("QQQQQQ");
    await page.getByRole("alert").filter({ hasText: /\S/ }).waitFor();
    await heading("Link a program");
  });

  test("a code whose time is over, while it is looked at", async () => {
    const code = await enterNew();
    await age(code, await makeUser(), 601);
    await heading("This code can't be used");
    await expectToFit();
  });

  test("a program that came too late", async () => {
    const code = await enterNew();
    await page.getByRole("button", { name: "Link this program", exact: true }).click();
    await heading("Go back to your program");
    await age(code, { ...user, token: "" }, 301);
    await heading("The program didn't collect the token in time");
    await expectToFit();
  });

  test("too many wrong codes, with the time to wait", async () => {
    await page.goto("/link");
    for (let time = 0; time <= 10; time++) {
      await page.getByLabel("Code").fill(`QXQXQ${"ABCDEFGHJKL"[time]}`);
      const answered = page.waitForResponse((response) => response.request().method() === "POST");
      await page.getByRole("button", { name: "Continue", exact: true }).click();
      await answered;
      await page
        .getByText(time < 10 ? "This code can't be used." : /^Too many wrong codes\. Try again in (10|9) minutes\.$/)
        .waitFor();
    }
    await expectToFit();
  });
});

describe("the time that is left", () => {
  const spoken = () => page.getByRole("timer").textContent();

  test.each([
    [240, ""],
    [299, "5 minutes"],
    [281, ""],
    [478, "2 minutes"],
    [538, "1 minute"],
    [560, ""],
  ])("after %d seconds is heard as %j", async (seconds, words) => {
    const code = await enterNew();
    await age(code, { ...user, token: "" }, seconds);
    await page.reload();
    await expect.poll(spoken).toBe(words);
  });
});

describe("by keyboard alone", () => {
  /** Goes on with the Tab key until the focus is on this. */
  async function tabTo(name: string) {
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement;
        return (element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element?.textContent)
          ?.replace("*", "")
          .trim();
      });
    for (let steps = 0; steps < 40; steps++) {
      if ((await focused()) === name) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`The Tab key does not lead to ${name}`);
  }

  test("a newcomer creates an account, links a program and revokes its access", async () => {
    await visitor.context.clearCookies();
    const code = await codeFrom(visitor.network);
    const username = newUsername();
    await page.goto("/link");
    await tabTo("Code");
    await page.keyboard.type(code.toLowerCase());
    await page.keyboard.press("Enter");
    await heading("Sign in to continue");
    await tabTo("Create an account");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/signup**");
    await tabTo("Username");
    await page.keyboard.type(username);
    await tabTo("Password");
    await page.keyboard.type("correct horse battery");
    await page.keyboard.press("Enter");
    await heading(`Link this program to ${username}?`);
    await page.getByText(username, { exact: true }).first().waitFor();
    await tabTo("Link this program");
    await page.keyboard.press("Space");
    await heading("Go back to your program");
    expect((await poll(code, visitor.network)).body?.linked).toBe(true);
    await heading("Your program is linked");
    await tabTo("Not you? Revoke access");
    await page.keyboard.press("Enter");
    await tabTo("Revoke access");
    await page.keyboard.press("Enter");
    await heading("Access revoked");
  });
});

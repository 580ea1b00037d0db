import { request as httpRequest } from "node:http";
import type { Browser, Page } from "playwright";
import { beforeEach, describe, expect, test } from "vitest";
import { revealToken } from "@/lib/auth/rotate-token";
import { db } from "@/lib/db/client";
import { createRecoveryLink } from "@/lib/recovery/recovery-links";
import { findUser } from "@/lib/user";
import { ask, origin } from "@/tests/support/http";
import { expectGoodLooks } from "./good-looks";
import { atThisService } from "./one-time-link";
import { openForEach } from "./open-for-each";
import { atAccountOf, newMember, newVisitor, submitAccount, type Visitor } from "./visitor";

const NEW = "another horse battery";

let visitor: Visitor;
let member: Visitor;
let page: Page;
let username: string;
let id: string;
let link: string;

/** Somebody who forgot the password, in a browser of their own; the member's is still signed in. */
async function forgetful(browser: Browser) {
  return { ...(await newVisitor(browser)), member: await newMember(browser) };
}
openForEach(forgetful, (opened) => {
  visitor = opened;
  page = opened.page;
  member = opened.member;
  username = opened.member.username;
});
beforeEach(async () => {
  ({ id } = await findUser(username));
  ({ link } = await atThisService(() => createRecoveryLink(username)));
  return () => member.context.close();
});

const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const title = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const field = () => page.getByLabel("New password", { exact: true });
const isOpen = async () => (await db.recoveryLink.count({ where: { userId: id } })) === 1;

async function openForm() {
  await page.goto(link);
  await press("Continue");
  await field().waitFor();
}

describe("a link from the operator", () => {
  test("sets a new password, signs this browser in and all others out, and works once", async () => {
    const sent: string[] = [];
    const secret = new URL(link).hash.slice(1);
    page.on("request", (request) => sent.push(request.url(), request.headers().referer ?? ""));
    const token = await revealToken(id);
    await page.goto(link);
    await expectGoodLooks(page);
    await press("Continue");
    await field().waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Set a new password");
    await expectGoodLooks(page);
    await page.getByRole("checkbox", { name: "Also rotate my token" }).check();
    await page.getByText("Your current token stops working").waitFor();
    await expectGoodLooks(page);
    await page.getByRole("checkbox", { name: "Also rotate my token" }).uncheck();
    await field().fill("short");
    await press("Set password");
    await page.getByText("A password needs at least 8 characters.").waitFor();
    await expect.poll(() => field().evaluate((input) => input === document.activeElement)).toBe(true);
    await expectGoodLooks(page);
    await field().fill(NEW);
    await press("Set password");
    await atAccountOf(page, username);
    expect(await revealToken(id)).toBe(token);
    expect(sent.filter((text) => text.includes(secret))).toEqual([]);
    visitor.expectCalm();

    await member.page.goto("/account");
    await member.page.waitForURL(/\/signin/);
    await submitAccount(member.page, "Sign in", username, NEW);
    await atAccountOf(member.page, username);
    await member.page.goto(link);
    await member.page.getByRole("button", { name: "Continue" }).click();
    await member.page.getByText("It may have been used already").waitFor();
    await expectGoodLooks(member.page);
  });

  test("works with the keyboard alone, and replaces the token when asked", async () => {
    const token = await revealToken(id);
    await page.goto(link);
    await page.getByRole("button", { name: "Continue" }).focus();
    await page.keyboard.press("Enter");
    await field().waitFor();
    await field().focus();
    await page.keyboard.type(NEW);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.getByText("Your current token stops working").waitFor();
    await page.keyboard.press("Enter");
    await atAccountOf(page, username);
    expect(await revealToken(id)).not.toBe(token);
  });

  test("is not used up by whoever only opens it: previews, scanners, or this page without a press", async () => {
    const { pathname } = new URL(link);
    for (let n = 0; n < 100; n++) {
      const headers: Record<string, string> = n % 3 === 0 ? { Purpose: "prefetch", "Sec-Purpose": "prefetch" } : {};
      await ask(pathname, { method: ["GET", "HEAD", "POST"][n % 3], headers });
    }
    for (let n = 0; n < 10; n++) await page.goto(`${link.replace("#", `?${n}#`)}`);
    expect(await isOpen()).toBe(true);
    await openForm();
    expect(await isOpen()).toBe(true);
  });

  test("that was replaced, is incomplete or invented gets the same page", async () => {
    const replaced = link;
    ({ link } = await atThisService(() => createRecoveryLink(username)));
    for (const bad of [
      replaced,
      link.replace(/#.*/, ""),
      link.slice(0, -1),
      link.replace(/#.*/, `#${"x".repeat(9_999)}`),
    ]) {
      await page.goto("about:blank");
      await page.goto(bad);
      await press("Continue");
      await title("This link doesn't work").waitFor();
    }
    expect(await isOpen()).toBe(true);
  });

  test("that ended while somebody typed says so", async () => {
    await openForm();
    await atThisService(() => createRecoveryLink(username));
    await field().fill(NEW);
    await press("Set password");
    await title("This link doesn't work").waitFor();
  });

  test("what a browser held before is not signed in afterwards", async () => {
    const before = await member.context.cookies();
    await openForm();
    await page.context().addCookies(before.filter(({ name }) => name.includes("session")));
    await field().fill(NEW);
    await press("Set password");
    await atAccountOf(page, username);
    const session = (await page.context().cookies()).find(({ name }) => name.includes("session-token"))?.value;
    expect(before.map(({ value }) => value)).not.toContain(session);
    await member.page.goto("/account");
    await member.page.waitForURL(/\/signin/);
    expect(await db.session.count({ where: { userId: id } })).toBe(1);
  });
});

test("no header of a request gets into the page or moves its action to another address", async () => {
  const headers = { Host: "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" };
  const { port } = new URL(origin);
  const body = await new Promise<string>((resolve, reject) => {
    const sending = httpRequest({ port, path: "/recover/link", headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve(text));
    });
    sending.on("error", reject).end();
  });
  expect(body).not.toContain("evil.example");
});

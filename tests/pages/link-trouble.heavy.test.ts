import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { findUser } from "@/lib/user";
import { approve, deny, poll } from "@/tests/contract/link";
import { ask } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import { newMember, submitAccount, type Visitor } from "./visitor";

const UNREACHABLE = "The service could not be reached. Check your connection, then try again.";

let visitor: Visitor;
let page: Page;
let username: string;
openForEach(newMember, (member) => {
  visitor = member;
  ({ page, username } = member);
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const heading = (name: string) => page.getByRole("heading", { name, exact: true });

/** A code of this visitor's network, in the field of the page. */
async function fillInNew(): Promise<string> {
  const code = String((await ask("/link/code", { network: visitor.network })).body?.code);
  await page.goto("/link");
  await page.getByLabel("Code").fill(code);
  return code;
}

/** A code of this visitor's network, at the step where it is decided. */
async function enterNew(): Promise<string> {
  const code = await fillInNew();
  await button("Continue").click();
  await button("Link this program").waitFor();
  return code;
}

describe("without a connection", () => {
  test("the code stays in the field, and is taken when it is sent again", async () => {
    const code = await fillInNew();
    await visitor.context.setOffline(true);
    await button("Continue").click();
    await page.getByText(UNREACHABLE).waitFor();
    expect(await page.getByLabel("Code").inputValue()).toBe(code);
    await visitor.context.setOffline(false);
    await button("Continue").click();
    await heading(`Link this program to ${username}?`).waitFor();
  });

  test("a decision can be repeated, and access be taken away, when it is back", async () => {
    const code = await enterNew();
    await visitor.context.setOffline(true);
    await button("Link this program").click();
    await page.getByText(UNREACHABLE).waitFor();
    await visitor.context.setOffline(false);
    await button("Link this program").click();
    await heading("Go back to your program").waitFor();
    expect((await poll(code, visitor.network)).body?.linked).toBe(true);
    await heading("Your program is linked").waitFor();
    await page.getByText("Not you? Revoke access").click();
    await visitor.context.setOffline(true);
    await button("Revoke access").click();
    await page.getByText(UNREACHABLE).waitFor();
    await visitor.context.setOffline(false);
    await button("Revoke access").click();
    await heading("Access revoked").waitFor();
  });

  test("a waiting page stays, says so, and continues when the service is back", async () => {
    const code = await enterNew();
    await button("Link this program").click();
    await heading("Go back to your program").waitFor();
    await visitor.context.setOffline(true);
    await page.getByText("The service can't be reached right now.").waitFor();
    await expectGoodLooks(page);
    await poll(code, visitor.network);
    await visitor.context.setOffline(false);
    await heading("Your program is linked").waitFor();
    expect(await page.getByText("The service can't be reached right now.").count()).toBe(0);
  });

  test("another code can be asked for when it is back", async () => {
    await enterNew();
    await visitor.context.setOffline(true);
    await button("Enter another code").click();
    await page.getByText(UNREACHABLE).waitFor();
    await visitor.context.setOffline(false);
    await button("Enter another code").click();
    await heading("Link a program").waitFor();
  });
});

describe("who decides too late", () => {
  test.each([
    ["linked it", approve],
    ["denied it", deny],
  ])("is told at once, and left nothing to press, but not whether another %s", async (_, happens) => {
    const code = await enterNew();
    await happens(code, await makeUser());
    await button("Link this program").click();
    await heading("This code can't be used").waitFor();
    expect(await button("Link this program").count()).toBe(0);
    expect(await button("Deny").count()).toBe(0);
  });

  test("because the session ended signs in again, and has the code still", async () => {
    const code = await enterNew();
    const { id } = await findUser(username);
    await db.session.deleteMany({ where: { userId: id } });
    await button("Deny").click();
    await heading("Sign in to continue").waitFor();
    expect(await page.getByRole("img", { name: /^The letters/ }).textContent()).toBe(code);
    await submitAccount(page, "Sign in", username);
    await button("Deny").click();
    await heading("Denied").waitFor();
  });
});

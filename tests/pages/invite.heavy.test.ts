import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { createUser } from "@/lib/auth/users";
import { db } from "@/lib/db/client";
import { createInvitation, type Invited } from "@/lib/recovery/invitations";
import { findUser } from "@/lib/user";
import { newUsername } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { atThisService } from "./one-time-link";
import { openForEach } from "./open-for-each";
import { atAccountOf, newVisitor, PASSWORD, type Visitor } from "./visitor";

let visitor: Visitor;
let page: Page;
openForEach(
  (browser) => newVisitor(browser),
  (opened) => {
    visitor = opened;
    page = opened.page;
  },
);

const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

async function open(invited: Partial<Invited> = {}): Promise<string> {
  const { link } = await atThisService(() => createInvitation({ username: null, role: "user", ...invited }));
  await page.goto(link);
  return link;
}

async function submit(username: string | null, password = PASSWORD) {
  if (username !== null) await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await press("Create account");
}

describe("an invitation", () => {
  test("opens an account with a name of its user's choice, and works once", async () => {
    const link = await open();
    await expectGoodLooks(page);
    await press("Continue");
    await page.getByLabel("Username").waitFor();
    await expectGoodLooks(page);
    await submit("x", "short");
    await page.getByText("A username has 3 to 20 characters").waitFor();
    await page.getByText("A password needs at least 8 characters.").waitFor();
    await expectGoodLooks(page);
    const username = newUsername();
    await submit(username);
    await atAccountOf(page, username);
    visitor.expectCalm();
    await page.goto(link);
    await press("Continue");
    await page.getByText("It may have been used already").waitFor();
    await expectGoodLooks(page);
  });

  test("may bring the name and the role", async () => {
    const username = newUsername();
    await open({ username, role: "admin" });
    await press("Continue");
    await page.getByText("You'll be an administrator of this service.").waitFor();
    await expectGoodLooks(page);
    await submit(null);
    await atAccountOf(page, username);
    expect(await findUser(username)).toMatchObject({ role: "admin" });
  });

  test("whose name was taken meanwhile says so, and is not used up", async () => {
    const username = newUsername();
    await open({ username });
    await press("Continue");
    await page.getByLabel("Password", { exact: true }).waitFor();
    await createUser({ username });
    await submit(null);
    await page.getByText(`The username ${username} has been taken meanwhile.`).waitFor();
    await expectGoodLooks(page);
    expect(await db.invitation.count({ where: { usernameKey: username } })).toBe(1);
  });
});

import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepSummaries } from "@/lib/account/summaries/sweep";
import { setRole } from "@/lib/auth/standing";
import { createUser } from "@/lib/auth/users";
import { db } from "@/lib/db/client";
import { createKey } from "@/lib/keys/create";
import { newUsername } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser } from "./person";
import { type Member, newMember, openReady } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function newAdmin(): Promise<Member> {
  const member = await newMember(browser);
  await setRole(member.username, "admin");
  return member;
}

test("an admin finds users, disables several at once, and invites someone", async () => {
  const { page, username, expectCalm } = await newAdmin();
  const prefix = newUsername().slice(0, 10);
  await page.goto(`/admin/users?q=${prefix}&role=admin`);
  await page.getByText("No user matches.").waitFor();
  await expectGoodLooks(page);
  for (const end of ["_a", "_b"]) await createUser({ username: prefix + end });
  await sweepSummaries();
  await page.goto("/admin/users");
  await page.getByText("What users have, as of").waitFor();
  await page.getByLabel("Name begins with").fill(prefix.toUpperCase());
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: `${prefix}_a` }).waitFor();
  await expectGoodLooks(page);

  await page.getByLabel("Select all on this page").focus();
  await page.keyboard.press("Space");
  await page.getByText("2 selected").waitFor();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await page.getByText("2 users disabled.").waitFor();
  await page.getByText("disabled, no password").first().waitFor();
  await openReady(page, `/admin/users?q=${username}`);
  await page.getByLabel(`Select ${username}`).check();
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await page.getByText("You can't disable your own account here.").waitFor();

  await page.getByLabel("Username").fill("no good name");
  await page.getByRole("button", { name: "Create invitation" }).click();
  await page.getByText("A username has 3 to 20 characters").waitFor();
  await page.getByLabel("Username").fill(newUsername());
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Copy link" }).waitFor();
  await expectGoodLooks(page);
  expectCalm();
});

test("an admin looks at a user, sets limits and the role, gives a recovery link, and deletes the account", async () => {
  const { page, expectCalm } = await newAdmin();
  const user = await createUser({ username: newUsername(), password: "correct horse battery" });
  await createKey({ ...user, role: "user" }, { data: "a secret", price: "1", name: "Season pass" });
  await page.goto(`/admin/users?user=${user.username}`);
  await page.getByRole("heading", { name: user.username, level: 2 }).waitFor();
  await expectGoodLooks(page);

  await page.getByLabel("Keys", { exact: true }).and(page.locator("input")).fill("many");
  await page.getByRole("button", { name: "Save limits" }).click();
  await page.getByText("Enter a whole number, or nothing.").waitFor();
  await page.getByLabel("Keys", { exact: true }).and(page.locator("input")).fill("5");
  await page.keyboard.press("Enter");
  await page.getByText("1 of 5").waitFor();
  expect(await db.user.findUnique({ where: { id: user.id } })).toMatchObject({ mostKeys: 5, mostEntries: null });

  await page.getByRole("button", { name: "Make administrator" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make administrator" }).click();
  await page.getByRole("button", { name: "Take the administrator role" }).waitFor();
  await page.getByRole("button", { name: "Create recovery link" }).click();
  await page.getByRole("button", { name: "Copy link" }).waitFor();
  await page.getByText("by an administrator").first().waitFor();
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable", exact: true }).click();
  await page.getByRole("button", { name: "Enable", exact: true }).click();
  await page.getByRole("button", { name: "Disable", exact: true }).waitFor();
  await expectGoodLooks(page);

  await page.getByRole("button", { name: "Delete user" }).click();
  await page.getByText("1 key they created is deleted. Nobody else holds it.").last().waitFor();
  await page.getByRole("dialog").getByLabel("Username").fill("someone");
  await page.keyboard.press("Enter");
  await page.getByText("That isn't the username.").waitFor();
  await page.getByRole("dialog").getByLabel("Username").fill(user.username);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/users");
  await page.goto(`/admin/users?user=${user.username}`);
  await page.getByRole("heading", { name: "There is no user with this name" }).waitFor();
  await expectGoodLooks(page);
  expect(await db.user.count({ where: { id: user.id } })).toBe(0);
  expectCalm();
});

test("addresses that nobody links to never break the page", async () => {
  const { page, expectCalm } = await newAdmin();
  for (const query of [
    "?user=%00&user=x",
    "?q=%25_%27%22&sort=nonsense&order=up&idle=0&role=root&access=1",
    `?after=${"A".repeat(4_000)}&idle=99999`,
    "?q=a&q=b&after=bm9uZQ",
    "?sort=keys&order=ascending&idle=36500&password=without",
  ]) {
    await page.goto(`/admin/users${query}`);
    await page.getByRole("heading", { name: "Users", level: 1 }).waitFor();
  }
  expectCalm();
});

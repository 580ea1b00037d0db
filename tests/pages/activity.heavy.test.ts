import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { findUser } from "@/lib/user";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import { type Member, newMember } from "./visitor";

let member: Member;
openForEach(newMember, (opened) => {
  member = opened;
});

test("the account's page has the latest five events, and leads to all of 90 days, fifty a page", async () => {
  const { page, username, network } = member;
  const { id } = await findUser(username);
  const events = () => page.getByRole("main").getByRole("listitem").count();
  const panel = page.getByRole("region", { name: "Activity" });
  await panel.getByText("Account created").waitFor();
  await panel.getByText(new RegExp(`^Signed in with .+, from ${network}$`)).waitFor();
  const row = { at: new Date(), action: "token.rotate", subjectId: id, actorId: id, detail: "{}" };
  await db.auditEvent.createMany({ data: Array.from({ length: 60 }, () => row) });
  await page.reload();
  await expect.poll(() => panel.getByRole("listitem").count()).toBe(5);
  await panel.getByRole("link", { name: "All activity of the last 90 days" }).click();
  await page.getByRole("heading", { level: 1, name: "Activity" }).waitFor();
  await expect.poll(events).toBe(50);
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "Older" }).click();
  await page.getByText("Account created").waitFor();
  await expect.poll(events).toBe(12);
  await page.waitForLoadState();
  expect(await page.getByRole("link", { name: "Older" }).count()).toBe(0);
  await page.getByRole("link", { name: "Newest" }).click();
  await page.getByRole("link", { name: "Older" }).waitFor();
  await page.goto("/account/activity?before=1");
  await page.getByText("No more activity.").waitFor();
  await expectGoodLooks(page);
  member.expectCalm();
});

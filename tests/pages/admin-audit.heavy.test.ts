import { expect, test } from "vitest";
import { auditAll, OPERATOR } from "@/lib/audit";
import { db } from "@/lib/db/client";
import { findUser } from "@/lib/user";
import { letProofsPass } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import { type Member, newMember } from "./visitor";

let member: Member;
openForEach(newMember, async (opened) => {
  member = opened;
  await db.user.update({ where: { usernameKey: opened.username }, data: { role: "admin" } });
});

test("the trail is filtered, read page by page, opened for its details, and says what is new", async () => {
  const { page, username } = member;
  const { id } = await findUser(username);
  const event = { action: "key.add" as const, subjectId: "f".repeat(32), actorId: id, detail: { user: "grace" } };
  await auditAll(
    Array.from({ length: 60 }, (_, n) => ({ ...event, at: new Date(Date.now() - n) })),
    db,
  );
  await page.goto("/admin/audit");
  await page.getByRole("heading", { level: 1, name: "Audit" }).waitFor();
  await expectGoodLooks(page);

  await page.getByLabel("Who").fill(username);
  await page.getByLabel("What").selectOption("key.add");
  await page.getByLabel("What").press("Tab");
  await page.getByLabel("Who").press("Enter");
  const rows = page.getByRole("table").locator("tbody tr");
  await page.waitForURL(/who=/);
  await expect.poll(() => rows.count()).toBe(50);
  await page.locator("tbody summary").first().focus();
  await page.keyboard.press("Enter");
  await page
    .getByRole("link", { name: "f".repeat(32) })
    .first()
    .waitFor();
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "Older" }).click();
  await page.getByRole("link", { name: "Newest" }).waitFor();
  await expect.poll(() => rows.count()).toBe(10);
  await page.getByRole("link", { name: "Newest" }).click();
  await expect.poll(() => rows.count()).toBe(50);

  member.expectCalm();
});

test("new events are counted, and shown when one asks for them", async () => {
  const { page, username } = member;
  const { id } = await findUser(username);
  const event = { action: "key.add" as const, subjectId: "f".repeat(32), actorId: id, detail: { user: "grace" } };
  await page.goto(`/admin/audit?who=${username}`);
  await page.getByRole("table").waitFor();
  await auditAll([{ ...event, at: new Date() }], db);
  await page.getByRole("link", { name: "1 new event" }).click();
  await expect.poll(() => page.getByRole("link", { name: "1 new event" }).count()).toBe(0);
  member.expectCalm();
});

test("a filter that cannot be read is said at its field, and one that matches nothing says so", async () => {
  const { page } = member;
  await page.goto("/admin/audit?who=nobody-of-this-name&from=7d");
  await page.getByText("There is no user with this name.").waitFor();
  expect(await page.getByLabel("From").inputValue()).toBe("7d");
  await expectGoodLooks(page);
  await page.goto("/admin/audit?network=192.0.2.254&who=operator");
  await page.getByText("No event matches this filter.").waitFor();
  await page.goto("/admin/audit?who=a&who=b&before=x&unknown=1");
  await page.getByRole("table").waitFor();
  await expectGoodLooks(page);
  member.expectCalm();
});

test("the file that is exported is whole", async () => {
  const { page, username } = member;
  const { id } = await findUser(username);
  const event = { at: new Date(), action: "user.disable" as const, subjectId: id, actorId: OPERATOR };
  await auditAll([event, event], db);
  await page.goto(`/admin/audit?which=${username}&what=user.disable`);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "JSON lines" }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await downloading).createReadStream()) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString().trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { action: "user.disable", actor: OPERATOR },
    { action: "user.disable" },
    { complete: true, events: 2 },
  ]);
});

test("every setting is shown and can be found; the page asks for a proof again", async () => {
  const { page, username } = member;
  await page.goto("/admin/settings");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  const row = page.getByRole("row").filter({ hasText: "AUTH_SECRET" });
  await row.getByText("set", { exact: true }).waitFor();
  await expectGoodLooks(page);
  await page.getByLabel("Find a setting").fill("METRICS");
  await page.getByLabel("Find a setting").press("Enter");
  await page.waitForURL(/q=METRICS/);
  await expect.poll(() => page.getByRole("row").count()).toBe(1);
  await expectGoodLooks(page);
  await page.goto("/admin/settings?q=nothing-has-this");
  await page.getByText("No setting has this in its name or explanation.").waitFor();
  await letProofsPass(username);
  await page.goto("/admin/settings");
  await page.getByText("The operator's console asks again").waitFor();
  expect(await page.content()).not.toContain("METRICS_TOKEN");
  member.expectCalm();
});

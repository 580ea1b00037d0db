import type { Page } from "playwright";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { setRole } from "@/lib/auth/standing";
import { db } from "@/lib/db/client";
import { DAY_MS, HOUR_MS, later, startOfDay, startOfHour } from "@/lib/hours";
import { makeUser } from "@/tests/support/user";
import { confirmOn, identityDialog, letProofsPass } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import { newMember, type Visitor } from "./visitor";

let visitor: Visitor;
let page: Page;
let username: string;
openForEach(newMember, async (member) => {
  visitor = member;
  ({ page, username } = member);
  await setRole(username, "admin");
});
beforeEach(async () => {
  await db.$transaction([db.statistic.deleteMany(), db.refusal.deleteMany(), db.examination.deleteMany()]);
});

const panel = (name: string) => page.getByRole("region", { name, exact: true });
const figure = (name: string) =>
  panel("Now")
    .locator("div", { has: page.getByText(name, { exact: true }) })
    .locator("dd");
const drawn = () => expect.poll(() => page.locator(".uplot canvas").count()).toBe(6);

/**
 * Numbers of some months, as the sweep would have counted them, up to the last hour that is over: the service's own
 * sweep counts in the one that runs. Returns the names of the hours five and six hours ago.
 */
async function someNumbers(): Promise<string[]> {
  const now = new Date();
  const row = (span: string, at: Date, n: number) => ({
    span,
    at,
    signIns: 40 + ((n * 17) % 23),
    signUps: (n * 7) % 5,
    asked: 90 + ((n * 31) % 41),
    linked: 60 + ((n * 29) % 31),
    denied: (n * 3) % 4,
    expired: 12 + ((n * 5) % 9),
    users: 5_000 - n * 9,
    keys: 12_400 - n * 31,
    keyBytes: BigInt(3_000_000 - n * 9_000),
    fileBytes: BigInt(48_000_000 - n * 180_000),
  });
  const ago = (hours: number) => later(startOfHour(now), -hours * HOUR_MS);
  const hours = Array.from({ length: 20 }, (_, n) => row("hour", ago(n + 1), n + 1));
  const days = Array.from({ length: 200 }, (_, n) => row("day", later(startOfDay(now), -(n + 1) * DAY_MS), n + 1));
  await db.statistic.createMany({ data: [...hours, ...days] });
  await db.refusal.createMany({
    data: ["link polls", "link codes", "failed passwords", "link wrong entries", "notices of an account"].flatMap(
      (limit, index) =>
        [ago(1), ago(3)].map((at) => ({
          span: "hour",
          at,
          limit,
          count: BigInt(9 - index),
        })),
    ),
  });
  return [ago(5), ago(6)].map((at) => `${at.toISOString().slice(11, 13)}:00`);
}

describe("the overview", () => {
  test("is in the menu of administrators only, and good to look at with nothing", async () => {
    await page.goto("/keys");
    await page.getByLabel(`Account menu of ${username}`).click();
    await page.getByRole("link", { name: "Console" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await panel("Doctor").getByText("Nobody has examined this service yet.").waitFor();
    await panel("Service")
      .getByText({ sqlite: "SQLite", postgresql: "PostgreSQL" }[inject("target").database])
      .waitFor();
    await drawn();
    await expectGoodLooks(page);
    // Somebody else is still an administrator.
    await makeUser({ role: "admin" });
    await setRole(username, "user");
    await page.goto("/keys");
    await page.getByLabel(`Account menu of ${username}`).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    expect(await page.getByRole("link", { name: "Console" }).count()).toBe(0);
    await page.goto("/admin");
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  });

  test("shows the numbers of a day, a month and a year as charts and as tables", async () => {
    const [five, six] = await someNumbers();
    await page.goto("/admin");
    await drawn();
    const links = panel("Links");
    await links.getByText("As a table").click();
    expect(await links.getByRole("row").count()).toBe(25);
    const rows = await links.getByRole("row").allInnerTexts();
    const at = rows.findIndex((row) => row.includes(String(five)));
    expect(rows.slice(at, at + 2)).toEqual([
      expect.stringMatching(new RegExp(`${five}\\s+122\\s+81\\s+3\\s+19$`)),
      expect.stringMatching(new RegExp(`${six}\\s+112\\s+79\\s+2\\s+15$`)),
    ]);
    await panel("Refused by a limit").getByText("Others").first().waitFor();
    await expectGoodLooks(page);
    await page.getByRole("link", { name: "30 days" }).click();
    await page.getByText("By day, in UTC.").waitFor();
    await drawn();
    await page.getByRole("link", { name: "12 months" }).click();
    await page.getByText("By week, in UTC.").waitFor();
    await drawn();
    await panel("Users").getByText("As a table").click();
    expect(await panel("Users").getByRole("row").count()).toBe(54);
    await expectGoodLooks(page);
    await page.goto("/admin?range=__proto__&range=year&x=%00");
    await page.getByText("By hour, in UTC.").waitFor();
    visitor.expectCalm();
  });

  test("has the same numbers without a script", async () => {
    await someNumbers();
    const cookies = await visitor.context.cookies();
    const plain = await page
      .context()
      .browser()
      ?.newContext({ javaScriptEnabled: false, baseURL: new URL(page.url()).origin });
    if (!plain) throw new Error("There is no browser.");
    await plain.addCookies(cookies);
    const without = await plain.newPage();
    await without.goto("/admin");
    await without.getByRole("region", { name: "Links", exact: true }).getByText("As a table").click();
    await without.getByRole("cell", { name: "122", exact: true }).first().waitFor();
    await plain.close();
  });

  test("measures requests while somebody looks, and refreshes by itself", async () => {
    await page.goto("/admin");
    await panel("Now")
      .getByText(/Measuring begins|No request|The last half minute/)
      .waitFor();
    await expect
      .poll(async () => {
        await page.request.get("/health");
        return Number.parseFloat((await figure("Requests per second").textContent()) ?? "");
      })
      .toBeGreaterThan(0);
    expect(await figure("Half respond within (p50)").textContent()).toMatch(/ (?:ms|s)$/);
    expect(await figure("99% respond within (p99)").textContent()).toMatch(/ (?:ms|s)$/);
    visitor.expectCalm();
  });

  test("examines the service when asked, and keeps what was found", async () => {
    await page.goto("/admin");
    const doctor = panel("Doctor");
    await doctor.getByRole("button", { name: "Examine now" }).focus();
    await page.keyboard.press("Enter");
    await doctor.getByText(/, as of /).waitFor();
    await page.reload();
    await doctor.getByText(/, as of /).waitFor();
    const [event] = await db.auditEvent.findMany({ where: { action: "doctor.run" }, orderBy: { id: "desc" }, take: 1 });
    expect(event?.actorId).toBe((await db.user.findUniqueOrThrow({ where: { usernameKey: username } })).id);
    const findings = [{ check: "sweep", problem: "3 tokens wait.", advice: "Run sweep." }];
    await db.examination.updateMany({ data: { findings: JSON.stringify(findings) } });
    await page.reload();
    await doctor.getByText("1 problem, as of").waitFor();
    await doctor.getByText("Run sweep.").waitFor();
    await expectGoodLooks(page);
  });
});

describe("an old proof", () => {
  test("shows the question first, with the keyboard too, and then the page", async () => {
    await someNumbers();
    await letProofsPass(username);
    await page.goto("/admin?range=year");
    await identityDialog(page).waitFor();
    expect(await page.content()).not.toMatch(/Requests per second|Statistics|12,369/);
    await page.keyboard.press("Escape");
    await identityDialog(page).waitFor({ state: "detached" });
    await expectGoodLooks(page);
    await page.getByRole("main").getByRole("button", { name: "Confirm", exact: true }).focus();
    await page.keyboard.press("Enter");
    await identityDialog(page).waitFor();
    await confirmOn(page);
    await page.getByText("By week, in UTC.").waitFor();
    await drawn();
    visitor.expectCalm();
  });

  test("pauses what happens now, until it is confirmed again", async () => {
    await page.goto("/admin");
    await page.getByRole("heading", { name: "Now" }).waitFor();
    await letProofsPass(username);
    await panel("Now").getByText("Paused").waitFor();
    await panel("Now").getByRole("button", { name: "Confirm it's you" }).click();
    await confirmOn(page);
    await panel("Now")
      .getByText(/Measuring begins|No request|The last half minute/)
      .waitFor();
    visitor.expectCalm();
  });
});

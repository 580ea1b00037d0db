import { expect, inject, test } from "vitest";
import { setRole } from "@/lib/accounts/identity/role";
import { db } from "@/lib/platform/db/client";
import { REFUSED } from "@/lib/platform/limits/refusals";
import { DAY_MS, HOUR_MS, later, startOfDay, startOfHour } from "@/lib/platform/time";
import { ask } from "@/tests/support/http";
import { confirmOn, cookieOf, identityDialog, letProofsPass, wordsOf } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { heading, press, told } from "./on-page";
import { newSignedIn } from "./visitor";

// But for when users were counted, which another page shows.
const numbers = { where: { name: { not: "users counted" } } };
await db.$transaction([db.measurement.deleteMany(numbers), db.examination.deleteMany()]);
const admin = await newSignedIn();
await setRole(admin.username, "admin");
const { page } = admin;

const panel = (name: string) => page.getByRole("region", { name, exact: true });
const figure = (name: string) =>
  panel("Now")
    .locator("div", { has: page.getByText(name, { exact: true }) })
    .locator("dd");
const drawn = (step: string) =>
  expect.poll(() => page.getByRole("img", { name: ` by ${step}, from ` }).count()).toBe(6);

/**
 * Numbers of a month, as the sweep would have counted them, up to the last hour that is over: the service's own sweep
 * counts in the one that runs. Returns the name of the hour five hours ago.
 */
async function someNumbers(): Promise<string> {
  const numbersAt = (at: Date, n: number) =>
    Object.entries({
      signIns: 40 + n,
      signUps: n % 5,
      asked: 100 + n,
      linked: 80 + n,
      denied: n,
      expired: 10 + n,
      users: 5_000 - n * 9,
      keys: 12_400 - n * 31,
      keyBytes: 3_000_000 - n * 9_000,
      fileBytes: 48_000_000 - n * 180_000,
    }).map(([name, value]) => ({ at, name, value }));
  const now = new Date();
  const ago = (hours: number) => later(startOfHour(now), -hours * HOUR_MS);
  const hours = Array.from({ length: 20 }, (_, n) => numbersAt(ago(n + 1), n + 1));
  const days = Array.from({ length: 28 }, (_, n) => numbersAt(later(startOfDay(now), -(n + 2) * DAY_MS), n + 2));
  const limits = ["link polls", "link codes", "failed passwords", "link wrong entries", "notices of an account"];
  const refused = limits.map((limit, n) => ({ at: ago(1), name: REFUSED + limit, value: 9 - n }));
  await db.measurement.createMany({ data: [...hours, ...days, refused].flat() });
  return `${ago(5).toISOString().slice(11, 13)}:00`;
}

const measures = () => told(panel("Now"), /Measuring starts|No requests in|The last half minute/);

test("with a proof it shows the numbers of a day and a month, examines, and measures requests", async () => {
  const hour = await someNumbers();
  await letProofsPass(admin.username);
  await page.goto("/admin");
  await identityDialog(page).waitFor();
  expect(await page.content()).not.toMatch(/Requests per second|Statistics|12,369/);
  await page.keyboard.press("Escape");
  await identityDialog(page).waitFor({ state: "detached" });
  await expectGoodLooks(page);
  await page.getByRole("main").getByRole("button", { name: "Confirm", exact: true }).press("Enter");
  await identityDialog(page).waitFor();
  await confirmOn(page);
  await heading(page, "Overview");
  await panel("Service").getByText({ sqlite: "SQLite", postgresql: "PostgreSQL" }[inject("target").database]).waitFor();
  await drawn("hour");
  const doctor = panel("Doctor");
  await told(doctor, "This service hasn't been examined yet.");
  await doctor.getByRole("button", { name: "Examine now" }).press("Enter");
  await told(doctor, /, as of /);
  const [event] = await db.auditEvent.findMany({ where: { action: "doctor.run" }, orderBy: { id: "desc" }, take: 1 });
  expect(event?.actorId).toBe(admin.id);
  const findings = [{ check: "sweep", problem: "3 tokens wait.", advice: "Run sweep." }];
  expect(await db.examination.updateMany({ data: { findings: JSON.stringify(findings) } })).toEqual({ count: 1 });

  const links = panel("Links");
  await links.getByText("As a table").click();
  expect(await links.getByRole("row").count()).toBe(25);
  const rows = await links.getByRole("row").allInnerTexts();
  expect(rows.find((row) => row.includes(hour))).toMatch(new RegExp(`${hour}\\s+105\\s+85\\s+5\\s+15$`));
  await told(panel("Refused by a limit"), "Others");
  await page.getByRole("link", { name: "30 days" }).click();
  await told(page, "By day, in UTC.");
  await drawn("day");
  await told(doctor, "1 problem, as of", "Run sweep.");
  await links.getByText("As a table").click();
  await expectGoodLooks(page);

  // It measures while somebody looks, and pauses when the proof is old, until there is a new one.
  await measures();
  await expect
    .poll(async () => {
      await page.request.get("/health");
      return Number.parseFloat((await figure("Requests per second").textContent()) ?? "");
    })
    .toBeGreaterThan(0);
  expect(await figure("Half respond within (p50)").textContent()).toMatch(/ (?:ms|s)$/);
  await letProofsPass(admin.username);
  await told(panel("Now"), "Paused");
  await press(panel("Now"), "Confirm it's you");
  await confirmOn(page);
  await measures();
  admin.expectCalm();

  // Without a script.
  const cookie = await cookieOf(admin);
  expect(await wordsOf("/admin", cookie)).toContain(`${hour} 105 85 5 15`);
  // It is in the menu of administrators.
  expect((await ask("/keys", { headers: { Cookie: cookie } })).text).toContain('href="/admin"');
});

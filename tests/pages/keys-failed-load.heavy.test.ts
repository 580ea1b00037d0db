import { readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "@/tests/support/service";
import { launchBrowser } from "./person";
import { signUp } from "./visitor";

// On a service of its own: what is taken away here, others need.
let service: RunningService;
let browser: Browser;

beforeAll(async () => {
  service = await startService({ lane: "direct", database: "sqlite" });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test("a list that cannot be loaded never looks like having no keys, and is loaded when asked again", async () => {
  const page = await browser.newPage({ baseURL: service.url });
  await signUp(page);
  await page.goto("/keys");
  await page.getByRole("button", { name: "Create your first key" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Pass");
  await page.getByLabel("Data", { exact: true }).fill("secret");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("heading", { name: "Pass", exact: true }).waitFor();

  const file = new Sqlite(join(service.storage.DATA_DIR ?? "", "latchkey.db"));
  for (const address of ["/keys", "/keys?list=given", page.url()]) {
    file.exec('ALTER TABLE "Holder" RENAME TO "HolderAway"');
    await page.goto(address);
    await page.getByRole("heading", { name: "Your keys couldn't be loaded" }).waitFor();
    expect(await page.getByText("You haven't created any keys yet").count()).toBe(0);
    const reference = await page.getByRole("main").getByRole("code").textContent();
    await expect
      .poll(() => readFileSync(service.logFile, "utf8"))
      .toMatch(new RegExp(`"id":"${reference}".*"status":500`));
    file.exec('ALTER TABLE "HolderAway" RENAME TO "Holder"');
    await page.getByRole("button", { name: "Try again" }).click();
    await page
      .getByText(address === "/keys" ? "Pass" : address.includes("given") ? "No keys from others" : "Created by")
      .waitFor();
  }
  file.close();
});

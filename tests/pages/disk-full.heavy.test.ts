import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newNetwork } from "@/tests/support/network";
import { type RunningService, startService } from "@/tests/support/service";
import { type SmallDisk, smallDisk, smallDiskKinds } from "@/tests/support/small-disk";
import { newUsername } from "@/tests/support/user";
import { launchBrowser } from "./person";
import { PASSWORD, submitAccount } from "./visitor";

const SENTENCE = "There is no room left to store this.";
/** More than the pages that are half empty hold. */
const LARGE = "x".repeat(60_000);

let disk: SmallDisk;
let service: RunningService;
let browser: Browser;
beforeAll(async () => {
  disk = smallDisk(smallDiskKinds[0] ?? "a database that may not grow");
  service = await startService({ lane: "direct", database: "sqlite" }, disk.variables);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  disk?.remove();
});

async function newPage(): Promise<Page> {
  const context = await browser.newContext({
    baseURL: service.url,
    extraHTTPHeaders: { "X-Forwarded-For": newNetwork().id },
  });
  return context.newPage();
}

async function fillInKey(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Data", { exact: true }).fill(LARGE);
  await page.getByLabel("Price").fill("1");
}

test("pages say that the disk is full, keep what was typed, and continue when there is space again", async () => {
  const username = newUsername();
  const page = await newPage();
  await page.goto("/signup?next=/keys");
  await submitAccount(page, "Sign up", username);
  await page.getByRole("button", { name: "Create your first key" }).click();
  await fillInKey(page, "kept");

  disk.fill();
  const submit = page.getByRole("button", { name: "Create key", exact: true });
  await submit.click();
  await page.getByText(SENTENCE).waitFor();
  expect(await page.getByLabel("Data", { exact: true }).inputValue()).toBe(LARGE);

  disk.free();
  await submit.click();
  await page.getByRole("heading", { name: "kept" }).waitFor();
  const other = await newPage();
  await other.goto("/signin?next=/keys");
  await submitAccount(other, "Sign in", username, PASSWORD);
  await other.getByText("kept").waitFor();
});

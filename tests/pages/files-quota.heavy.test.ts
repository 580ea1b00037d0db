import { randomBytes } from "node:crypto";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "@/tests/support/service";
import { newUsername } from "@/tests/support/user";
import { row, textFile, uploadFiles } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser } from "./person";
import { submitAccount } from "./visitor";

let service: RunningService;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  service = await startService({ lane: "next", database: "sqlite" }, { FILE_BYTES_PER_USER: "6000000" });
  browser = await launchBrowser();
  const context = await browser.newContext({ baseURL: service.url });
  page = await context.newPage();
  await page.goto("/signup?next=/files");
  await submitAccount(page, "Sign up", newUsername());
  await page.locator("input[webkitdirectory]").waitFor({ state: "attached" });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** What fits and what does not, under plain Next, whose lane these routes take everywhere. */
test("what there is no room for is refused with a sentence, and what was there stays", async () => {
  await uploadFiles(page, [textFile("small.txt"), textFile("large.txt", "x".repeat(5_800_000))], 2);
  await page.getByText("Delete something to make room.").waitFor();
  const refused = async (name: string, text: string) => {
    await page.getByLabel("Files to upload").setInputFiles(textFile(name, text));
    await page.getByText("1 file couldn't be uploaded").waitFor();
    await page.getByText(/There is room for .*Nothing was changed\./).waitFor();
  };
  await refused("another.txt", "y".repeat(300_000));
  await expectGoodLooks(page);
  await page.getByLabel("Close the list of uploads").click();
  await refused("larger.txt", "y".repeat(5_000_000));
  await page.getByLabel("Close the list of uploads").click();

  await page.getByRole("button", { name: "Import" }).click();
  await page
    .getByLabel("Document", { exact: true })
    .setInputFiles(textFile("document.json", `["${"x".repeat(7_000_000)}"]`));
  await page.getByLabel("I understand that my current files").check();
  await page.getByRole("button", { name: "Replace everything" }).click();
  await page.getByText("Your files are unchanged.").waitFor();
  await page.keyboard.press("Escape");

  expect(await page.locator("[role=grid] tbody a").allTextContents()).toEqual(["large.txt", "small.txt"]);
  await row(page, "large.txt").click();
  await page.keyboard.press("Delete");
  await page.getByText("large.txt deleted.").waitFor();
  await uploadFiles(page, textFile("another.txt", "y".repeat(300_000)));
  await row(page, "another.txt").waitFor();
});

test("what was deleted takes room for a while, and the page says how much", async () => {
  await uploadFiles(page, textFile("noise.txt", randomBytes(1_500_000).toString("hex")));
  await row(page, "noise.txt").click();
  await page.keyboard.press("Delete");
  await page.getByText("noise.txt deleted.").waitFor();
  await page.reload();
  await page.getByText(/Earlier versions use another 3 MB for a few hours/).waitFor();
  await expectGoodLooks(page);
});

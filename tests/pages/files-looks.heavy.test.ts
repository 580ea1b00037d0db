import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { chunks, idOf, root, values } from "@/tests/support/documents";
import { enterFolder, makeFolder, newOwner, row, textFile, uploadFiles } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser, type Person } from "./person";
import { openReady, untilReady } from "./visitor";

const LONG = `${"W".repeat(80)} ${"слово ".repeat(12)}`.trim();
const MANY = 2_000;

let browser: Browser;
let person: Person;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  person = await newOwner(browser);
  page = person.page;
});
afterAll(() => browser?.close());

test("nothing stored, a deep folder, and one name that is not found", async () => {
  await expectGoodLooks(page);
  for (const name of ["Letters", LONG, "And one more in it"]) {
    await makeFolder(page, name);
    await enterFolder(page, name);
  }
  await expectGoodLooks(page);
  await page.goto("/files?filter=nothing%20at%20all");
  await page.getByRole("button", { name: "Clear filter" }).waitFor();
  await expectGoodLooks(page);
});

test("files, chosen ones, their menu and each dialog", async () => {
  await openReady(page, "/files");
  await uploadFiles(
    page,
    [
      textFile(`${LONG}.txt`),
      textFile("data.json", '{"a":[1,2]}'),
      textFile("drawing.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
    ],
    3,
  );
  await row(page, "data.json").click();
  await row(page, "Letters").click({ modifiers: ["Control"] });
  await expectGoodLooks(page);
  await page.getByRole("toolbar").getByRole("button", { name: "Move" }).click();
  await page.getByRole("radio", { name: "All files" }).waitFor();
  await expectGoodLooks(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More actions for data.json" }).click();
  await page.getByRole("menuitem", { name: "Move" }).waitFor();
  await expectGoodLooks(page);
  await page.keyboard.press("Escape");
  await row(page, "data.json").click();
  await page.keyboard.press("F2");
  await page.getByLabel("Name", { exact: true }).fill("a/b");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("alert").filter({ hasText: /./ }).waitFor();
  await expectGoodLooks(page);
  await page.keyboard.press("Escape");
  for (const name of ["data.json", "drawing.svg"]) {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("dialog").locator("pre, img").waitFor();
    await expectGoodLooks(page);
    await page.keyboard.press("Escape");
  }
  await page.getByTitle("Clear selection").click();
  await page.getByRole("button", { name: "Import" }).click();
  await expectGoodLooks(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByText("Saved as").waitFor();
  await expectGoodLooks(page);
  await page.keyboard.press("Escape");
  await row(page, "data.json").click();
  await page.keyboard.press("Delete");
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Recently deleted" }).click();
  await page.getByRole("button", { name: "Restore" }).waitFor();
  await expectGoodLooks(page);
});

test("uploads under way, failed, asking, and waiting for somebody to sign in", async () => {
  await openReady(page, "/files");
  let answer: (() => void) | undefined;
  const body = JSON.stringify({
    error: "There is room for 100 bytes, and this needs more. Nothing was changed.",
    code: "files_limit",
  });
  await page.route("**/files/uploads/together", async (route) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    await route.fulfill({ status: 403, contentType: "application/json", body });
  });
  await page.getByLabel("Files to upload").setInputFiles(textFile(`${LONG}.md`));
  await page.getByText("Uploading 0 of 1 file").waitFor();
  await expectGoodLooks(page);
  await expect.poll(() => answer !== undefined).toBe(true);
  answer?.();
  await page.getByText("1 file couldn't be uploaded").waitFor();
  await expectGoodLooks(page);
  await page.unrouteAll();

  await page.getByLabel("Files to upload").setInputFiles([textFile(`${LONG}.txt`), textFile("drawing.svg", "x")]);
  await page.getByRole("dialog", { name: "This name is taken" }).waitFor();
  await expectGoodLooks(page);
  await page.getByLabel("Apply to all 2 conflicts").check();
  await page.getByRole("button", { name: "Skip" }).click();
  await person.context.clearCookies();
  await page.getByRole("button", { name: "Retry failed upload" }).click();
  await page.getByText("Open sign-in in a new tab").waitFor();
  await expectGoodLooks(page);
});

test(`a folder of ${MANY} files, a page at a time`, async () => {
  const many = await newOwner(browser);
  const { username } = many;
  const files = Array.from({ length: MANY }, (_, n) => ({
    type: ".txt",
    name: `note ${n}`,
    location: `origin/(c) users/${username}`,
    data: "x".repeat(n),
    id: idOf(n + 2),
  }));
  const document = [
    root(
      username,
      files.map(({ id }) => id),
    ),
    ...files,
  ].flatMap(values);
  await importDocument(many, chunks(JSON.stringify(document)));
  await many.page.goto("/files");
  await many.page.getByText("1–100 of 2,000").waitFor();
  expect(await many.page.locator("[role=grid] tbody tr").count()).toBe(100);
  await expectGoodLooks(many.page);
  await many.page.getByRole("searchbox", { name: "Filter" }).fill("note 1999");
  await row(many.page, "note 1999.txt").waitFor();
  await many.page.getByRole("searchbox", { name: "Filter" }).fill("");
  await many.page.getByText("1–100 of 2,000").waitFor();
  for (let from = 101; from < MANY; from += 100) {
    await many.page.getByRole("link", { name: "Next" }).click();
    await many.page.getByText(`${from.toLocaleString("en")}–${(from + 99).toLocaleString("en")} of 2,000`).waitFor();
  }
  await row(many.page, "note 1999.txt").waitFor();
  await many.page.getByRole("link", { name: "Previous" }).click();
  await many.page.getByText("1,801–1,900 of 2,000").waitFor();
  await many.page.getByRole("link", { name: "First" }).click();
  await many.page.getByText("1–100 of 2,000").waitFor();
  await many.page.getByRole("link", { name: "Last" }).click();
  await many.page.getByText("1,901–2,000 of 2,000").waitFor();
  await many.page.goto("/files?at=nonsense");
  await many.page.getByText("1–100 of 2,000").waitFor();
  await many.page.getByRole("link", { name: "Next" }).click();
  await many.page.getByText("101–200 of 2,000").waitFor();
  await many.page.getByRole("link", { name: "Last" }).click();
  await row(many.page, "note 1999.txt").waitFor();
  await untilReady(many.page);
  await many.page.getByLabel("Select all on this page").check();
  await many.page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
  await many.page.getByText("1,801–1,900 of 1,900").waitFor();
  many.expectCalm();
});

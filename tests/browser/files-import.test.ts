import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { expectedImport, wildDocument } from "../support/wild-documents";
import { enterFolder, newOwner, row, textFile, uploadFiles } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser, type Person } from "./person";

let browser: Browser;
let person: Person;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  person = await newOwner(browser);
  page = person.page;
});

const entry = (type: string, name: string, location: string, data: unknown, id: string) => [type, name, location, data, "", 0, 0, 0, 1, 2, "", 0, [], id];

/** A document with 309 entries that can be imported, in lower-cased locations, and three that cannot. */
function document(username: string): unknown[] {
  const home = `origin/(c) users/${username.toLowerCase()}`;
  return [
    ...entry(".txt", "Early", `${home}/desktop`, "early", "early"),
    ...entry(".folder", username, "origin/(c) users", null, "r"),
    ...entry(".folder", "Desktop", `${home}/`, "", "d"),
    ...Array.from({ length: 306 }, (_, n) => entry(".txt", `File ${n}`, `${home}/desktop`, `text ${n}`, `f${n}`)).flat(),
    ...entry(".txt", "Lost", `${home}/desktop/gone`, "lost", "l1"),
    ...entry(".folder", "A kit of somebody whose names are long ".repeat(8), "/kit", [], "l2"),
    ...entry(".txt", "Strange", home, "strange", "l 3"),
  ];
}

async function choose(name: string, document: unknown[]): Promise<void> {
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByLabel("Document", { exact: true }).setInputFiles(textFile(name, JSON.stringify(document)));
}

test("A document of which some cannot be imported: the page says which, changes nothing, and imports the others by the keyboard", {
  timeout: 300_000,
}, async () => {
  await uploadFiles(page, textFile("old.txt"));
  await choose("wild.json", document(person.username));
  await page.getByLabel("I know that what I have now").check();
  await page.getByRole("button", { name: "Replace everything" }).click();
  await page.getByText("3 of 312 entries cannot be imported.").waitFor();
  const list = page.getByRole("list", { name: "Entries that cannot be imported" });
  const said = await list.getByRole("listitem").allTextContents();
  expect(said.map((text) => text.slice(text.indexOf("Entry")))).toEqual([
    expect.stringMatching(/^Entry 310, location: no entry is the folder ".*desktop\/gone"\.$/),
    expect.stringMatching(/^Entry 311, location: "\/kit" is outside the document's own root, ".*"\.$/),
    expect.stringMatching(/^Entry 312, id: an id must have 1 to 64 characters of ASCII, without blanks, quotes or backslashes\.$/),
  ]);
  await page.getByText("In a folder that the document does not have: 1").waitFor();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await row(page, "old.txt").waitFor();

  await choose("wild.json", document(person.username));
  await page.getByLabel("I know that what I have now").check();
  await page.keyboard.press("Enter");
  const button = page.getByRole("button", { name: "Import 309 of 312" });
  await button.focus();
  await page.keyboard.press("Shift+Tab");
  expect(await list.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("Imported: 308 files and folders. Left out: 3.").waitFor();
  await page
    .getByText(/Put after the folder that they are in: 1\. Slash removed from the end of the location: 1\./)
    .or(page.getByText(/Slash removed from the end of the location: 1\. Put after the folder that they are in: 1\./))
    .waitFor();
  await enterFolder(page, "Desktop");
  await row(page, "Early.txt").waitFor();
});

test("Another document in between, or one that changed, is looked at anew; a thousand reasons do not fill the window", { timeout: 300_000 }, async () => {
  const wild = wildDocument(person.username, 3_000, 5);
  const refused = Object.keys(expectedImport(wild, person.username).refused).length;
  await choose("wild.json", wild);
  const submit = page.locator("dialog button[type=submit]");
  await submit.click();
  await page.getByText(`${refused.toLocaleString("en")} of 3,000 entries cannot be imported.`).waitFor();
  await expectGoodLooks(page);
  const { y = 0, height = 0 } = (await submit.boundingBox()) ?? {};
  await submit.scrollIntoViewIfNeeded();
  expect(y + height).toBeGreaterThan(0);
  await page.getByLabel("Document", { exact: true }).setInputFiles(textFile("other.json", JSON.stringify(document(person.username))));
  expect(await submit.textContent()).toBe("Import");
  await submit.click();
  await page.getByRole("button", { name: "Import 309 of 312" }).waitFor();
});

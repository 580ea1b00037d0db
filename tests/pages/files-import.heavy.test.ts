import type { Page } from "playwright";
import { expect, test } from "vitest";
import { wildEntry } from "@/tests/support/documents";
import { expectedImport, wildDocument } from "@/tests/support/wild-documents";
import { enterFolder, newOwner, row, textFile, uploadFiles } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import type { Person } from "./person";

let person: Person;
let page: Page;
openForEach(newOwner, (owner) => {
  person = owner;
  page = owner.page;
});

/** A document with 309 entries that can be imported, in lower-cased locations, and three that cannot. */
function document(username: string): unknown[] {
  const home = `origin/(c) users/${username.toLowerCase()}`;
  return [
    ...wildEntry(".txt", "Early", `${home}/desktop`, "early", "early"),
    ...wildEntry(".folder", username, "origin/(c) users", null, "r"),
    ...wildEntry(".folder", "Desktop", `${home}/`, "", "d"),
    ...Array.from({ length: 306 }, (_, n) =>
      wildEntry(".txt", `File ${n}`, `${home}/desktop`, `text ${n}`, `f${n}`),
    ).flat(),
    ...wildEntry(".txt", "Lost", `${home}/desktop/gone`, "lost", "l1"),
    ...wildEntry(".folder", "A kit of somebody whose names are long ".repeat(8), "/kit", [], "l2"),
    ...wildEntry(".txt", "Strange", home, "strange", "l 3"),
  ];
}

async function choose(name: string, document: unknown[]): Promise<void> {
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByLabel("Document", { exact: true }).setInputFiles(textFile(name, JSON.stringify(document)));
}

test("The page says what cannot be imported, changes nothing, and imports the rest by the keyboard", async () => {
  await uploadFiles(page, textFile("old.txt"));
  await choose("wild.json", document(person.username));
  await page.getByLabel("I understand that my current files").check();
  await page.getByRole("button", { name: "Replace everything" }).click();
  await page.getByText("3 of 312 entries cannot be imported.").waitFor();
  const list = page.getByRole("list", { name: "Entries that cannot be imported" });
  const said = await list.getByRole("listitem").allTextContents();
  expect(said.map((text) => text.slice(text.indexOf("Entry")))).toEqual([
    expect.stringMatching(/^Entry 310, location: the document has no folder ".*desktop\/gone"\.$/),
    expect.stringMatching(/^Entry 311, location: "\/kit" is outside the document's own root, ".*"\.$/),
    expect.stringMatching(
      /^Entry 312, id: an id must have 1 to 64 ASCII characters, without spaces, quotes or backslashes\.$/,
    ),
  ]);
  await page.getByText("In a folder that is missing from the document: 1").waitFor();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await row(page, "old.txt").waitFor();

  await choose("wild.json", document(person.username));
  await page.getByLabel("I understand that my current files").check();
  await page.keyboard.press("Enter");
  const button = page.getByRole("button", { name: "Import 309 of 312" });
  await button.focus();
  await page.keyboard.press("Shift+Tab");
  expect(await list.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("Imported: 308 files and folders. Skipped: 3.").waitFor();
  await page
    .getByText(/Moved after the folder they are in: 1\. Trailing slash removed from the location: 1\./)
    .or(page.getByText(/Trailing slash removed from the location: 1\. Moved after the folder they are in: 1\./))
    .waitFor();
  await enterFolder(page, "Desktop");
  await row(page, "Early.txt").waitFor();
});

test("Another or a changed document is looked at anew; a thousand reasons do not fill the window", async () => {
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
  await page
    .getByLabel("Document", { exact: true })
    .setInputFiles(textFile("other.json", JSON.stringify(document(person.username))));
  await expect.poll(() => submit.textContent()).toBe("Import");
  await submit.click();
  await page.getByRole("button", { name: "Import 309 of 312" }).waitFor();
});

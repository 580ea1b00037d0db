import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { putFile } from "@/lib/files/create";
import { db } from "@/lib/platform/db/client";
import { wildEntry } from "@/tests/support/documents";
import { ask } from "@/tests/support/http";
import {
  choose,
  closePanel,
  deleteByKey,
  enterFolder,
  expectStored,
  fromMenu,
  give,
  ownerIn,
  pathsOf,
  pickFiles,
  row,
  store,
  textFile,
  uploadFiles,
} from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { downloaded, press, pressKeys, told } from "./on-page";
import { newSignedIn, newVisitor, openReady } from "./visitor";

/** A document with 309 entries that can be imported, in lower-cased locations, and three that cannot. */
function document(username: string): string {
  const home = `origin/(c) users/${username.toLowerCase()}`;
  return JSON.stringify([
    ...wildEntry(".txt", "Early", `${home}/desktop`, "early", "early"),
    ...wildEntry(".folder", username, "origin/(c) users", null, "r"),
    ...wildEntry(".folder", "Desktop", `${home}/`, "", "d"),
    ...Array.from({ length: 306 }, (_, n) =>
      wildEntry(".txt", `File ${n}`, `${home}/desktop`, `text ${n}`, `f${n}`),
    ).flat(),
    ...wildEntry(".txt", "Lost", `${home}/desktop/gone`, "lost", "l1"),
    ...wildEntry(".folder", "A kit of somebody whose names are long ".repeat(8), "/kit", [], "l2"),
    ...wildEntry(".txt", "Strange", home, "strange", "l 3"),
  ]);
}

const shared = await newVisitor();
const { page } = shared;
const openImport = () => fromMenu(page, "More", "Import (JSON)");
const understand = () => page.getByLabel("I understand that my current files").check();

test("the page says what cannot be imported, changes nothing, and imports the rest by the keyboard", async () => {
  const { username } = await ownerIn(shared, "old.txt");
  const submit = page.locator("dialog button[type=submit]");
  const list = page.getByRole("list", { name: "Entries that can't be imported" });
  await openImport();
  await give(page, document(username));
  await understand();
  await submit.click();
  await told(page, "3 of 312 entries can't be imported.");
  const said = await list.getByRole("listitem").allTextContents();
  expect(said.map((text) => text.slice(text.indexOf("Entry")))).toEqual([
    expect.stringMatching(/^Entry 310, location: the document has no folder ".*desktop\/gone"\.$/),
    expect.stringMatching(/^Entry 311, location: "\/kit" is outside the document's own root, ".*"\.$/),
    expect.stringMatching(
      /^Entry 312, id: an id must have 1 to 64 ASCII characters, without spaces, quotes or backslashes\.$/,
    ),
  ]);
  await told(page, "In a folder that is missing from the document: 1");
  await expectGoodLooks(page);
  await press(page, "Cancel");
  await row(page, "old.txt").waitFor();

  await openImport();
  await give(page, document(username));
  await expect.poll(() => submit.textContent()).toBe("Replace everything");
  await understand();
  await submit.click({ trial: true });
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Import 309 of 312" }).press("Shift+Tab");
  expect(await list.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await submit.click({ trial: true });
  await pressKeys(page, "Tab", "Enter");
  await told(page, "Imported: 309 of 312 entries. Skipped: 3.");
  await told(page, "Moved after the folder they are in: 1.", "Trailing slash removed from the location: 1.");
  await enterFolder(page, "Desktop");
  await row(page, "Early.txt").waitFor();
});

test("everything is exported, and imported elsewhere in place of what was there", async () => {
  const person = await newSignedIn(shared);
  const bytes = Buffer.from([0, 255, 1]);
  await store(person, "Box/", "a.txt");
  await putFile(person, undefined, { name: "b.bin", bytes, onExisting: "refuse" });
  await openReady(page, "/files");
  const download = await downloaded(page, () => fromMenu(page, "More", "Export for programs (JSON)"));
  await told(page, "Saved as");
  await expectGoodLooks(page);
  const exported = readFileSync(await download.path(), "utf8");
  expect(exported).toBe((await ask("/read-files", { query: { auth: person.token } })).text);

  const other = await ownerIn(shared, "old.txt");
  await openImport();
  await told(page, "1 file or folder, ");
  const send = async (text: string) => {
    await give(page, text);
    await understand();
    await press(page, "Replace everything");
  };
  await send(exported.replace('".txt"', "5"));
  await told(page, /^Entry \d, type: this must be of the kind string, not number\.$/);
  await send(exported.slice(0, -1));
  await told(page, /This is not a JSON array: it ends too early.* Your files are unchanged/);
  expect(await pathsOf(other)).toEqual(["old.txt"]);
  await send(exported);
  await told(page, "Imported: 3 files and folders.");
  await row(page, "Box").waitFor();
  expect(await pathsOf(other)).toEqual(["Box", "a.txt", "b.bin"]);
  await expectStored(other, "b.bin", bytes);
});

test("what there is no room for is refused with a sentence; what is left is shown on demand", async () => {
  const { id } = await ownerIn(shared);
  await expectGoodLooks(page);
  await db.user.update({ where: { id }, data: { mostFileBytes: 1_800_000n } });
  await uploadFiles(page, [textFile("small.txt"), textFile("large.txt", "x".repeat(1_720_000))], 2);
  await told(page, "Delete something to free up space.");
  await pickFiles(page, textFile("another.txt", "y".repeat(90_000)));
  await told(page, "1 file couldn't be uploaded", /There is room for .*Nothing was changed\./);
  await closePanel(page);
  await openImport();
  await give(page, `["${"x".repeat(2_000_000)}"]`);
  await page.getByLabel("I understand that my current files").check();
  await press(page, "Replace everything", "Your files are unchanged.");
  await page.keyboard.press("Escape");
  expect(await page.locator("[role=grid] tbody a").allTextContents()).toEqual(["large.txt", "small.txt"]);

  await choose(page, "large.txt");
  await deleteByKey(page);
  await told(page, "large.txt deleted.");
  await uploadFiles(page, textFile("another.txt", "y".repeat(90_000)));
  await page.getByText(/^[\d.]+ KB of 1\.8 MB$/).click();
  await told(page, /^[\d.]+ MB left$/, "2 of ");
  await expectGoodLooks(page);
});

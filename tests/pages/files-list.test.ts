import { expect, test } from "vitest";
import { putFile } from "@/lib/files/create";
import { importDocument } from "@/lib/files/import";
import { chunks, file, idOf, root, values } from "@/tests/support/documents";
import { choose, deleteByKey, enterFolder, ownerIn, pathsOf, row, selectionBar, undo } from "./files-page";
import { expectGoodLooks, LONG_NAME } from "./good-looks";
import { button, expectFocusOn, focused, heading, press, told } from "./on-page";
import { newSignedIn, newVisitor, openReady } from "./visitor";

const shared = await newVisitor();
const { page } = shared;

test("the list is sorted and filtered, with folders first", async () => {
  await ownerIn(shared, "zoo/", ["b.txt", "1"], ["A.md", "333"], ["note 10.txt", "22"], ["note 9.txt", "4444"]);
  const shows = (...expected: string[]) =>
    expect.poll(() => page.locator("[role=grid] tbody a").allTextContents()).toEqual(expected);
  const sort = (column: string) => page.getByRole("columnheader", { name: column }).getByRole("button").click();
  await shows("zoo", "A.md", "b.txt", "note 9.txt", "note 10.txt");
  await sort("Name");
  await shows("zoo", "note 10.txt", "note 9.txt", "b.txt", "A.md");
  await sort("Size");
  await shows("zoo", "b.txt", "note 10.txt", "A.md", "note 9.txt");
  const filter = page.getByRole("searchbox", { name: "Filter" });
  await filter.fill("NOTE");
  await shows("note 10.txt", "note 9.txt");
  await filter.fill("nothing like it");
  await heading(page, "No matches for “nothing like it” in this folder");
  await press(page, "Clear filter");
  await shows("zoo", "b.txt", "note 10.txt", "A.md", "note 9.txt");
});

test("the list is worked by keyboard alone", async () => {
  const long = `d ${LONG_NAME}.txt`;
  const person = await ownerIn(shared, "Box/", "a.txt", "b.txt", "c.txt", long);
  const chosen = () => page.locator("[role=grid] tbody tr[aria-selected=true] a").allTextContents();
  const pressKey = async (key: string, expected: string[]) => {
    await page.keyboard.press(key);
    await expect.poll(chosen).toEqual(expected);
  };
  await row(page, "Box").focus();
  await pressKey("ArrowDown", ["a.txt"]);
  await pressKey("Shift+ArrowDown", ["a.txt", "b.txt"]);
  await pressKey("Shift+End", ["a.txt", "b.txt", "c.txt", long]);
  await pressKey("Escape", []);
  await pressKey("Home", ["Box"]);
  await pressKey("Control+ArrowDown", ["Box"]);
  await pressKey("Control+ArrowDown", ["Box"]);
  await pressKey("Space", ["Box", "b.txt"]);
  await pressKey("Control+a", ["Box", "a.txt", "b.txt", "c.txt", long]);
  await pressKey("ArrowUp", ["a.txt"]);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").locator("pre").waitFor();
  await page.keyboard.press("Escape");
  await deleteByKey(page);
  await expect.poll(chosen).toEqual([]);
  await told(page, "a.txt deleted.");
  await pressKey("Shift+F10", ["b.txt"]);
  await page.getByRole("menuitem", { name: "Rename" }).waitFor();
  await expectGoodLooks(page);
  for (const [key, item] of [
    ["ArrowUp", "Delete"],
    ["ArrowDown", "Open"],
    ["End", "Delete"],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => focused(page)).toBe(item);
  }
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await pressKey("Home", ["Box"]);
  await page.keyboard.press("Enter");
  await told(page, "This folder is empty");
  await page.goBack();
  await row(page, "b.txt").waitFor();
  const isInList = () => page.evaluate(() => document.activeElement?.closest("tbody") !== null);
  await expect.poll(isInList).toBe(true);
  await pressKey("Home", ["Box"]);
  await pressKey("ArrowDown", ["b.txt"]);
  expect(await pathsOf(person)).toEqual(["Box", "b.txt", "c.txt", long]);
});

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("pictures are shown small, what is none by its icon; a phone has filter, order and actions", async () => {
  const person = await ownerIn(shared, ["b not a picture.png", "text"], "d.txt");
  const pictures: [string, Buffer][] = [
    ["a.PNG", PIXEL],
    ["c large.png", Buffer.concat([PIXEL, Buffer.alloc(250_000)])],
    ["e.svg", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" />')],
  ];
  for (const [name, bytes] of pictures) await putFile(person, undefined, { name, bytes, onExisting: "refuse" });
  await openReady(page, "/files");
  const shown = () =>
    page.locator("[role=grid] img").evaluateAll((all) => all.map((one) => one.closest("tr")?.textContent));
  await expect.poll(shown).toEqual([expect.stringContaining("a.PNG")]);
  expect(await page.locator("[role=grid] img").evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1);
  await page.setViewportSize({ width: 375, height: 740 });
  const field = page.getByRole("searchbox", { name: "Filter" });
  await field.waitFor({ state: "hidden" });
  await press(page, "Filter");
  await expectFocusOn(field);
  await page.getByLabel("Sort by").selectOption("Newest first");
  await expect.poll(() => new URL(page.url()).search).toBe("?sort=edited&order=descending");
  await expectGoodLooks(page);
  await press(row(page, "a.PNG"), "More actions");
  await page.getByRole("menuitem", { name: "Rename" }).waitFor();
  await page.setViewportSize({ width: 1280, height: 720 });
});

test("the shortcuts are listed by a key; a menu's button closes it, and has the keyboard again", async () => {
  await ownerIn(shared, "a.txt");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await page.keyboard.press("?");
  await told(dialog, "Rename", "Show these shortcuts");
  await expectGoodLooks(page);
  await press(dialog, "Close");
  for (const isOpen of [true, false]) {
    await button(page, "Add").click();
    expect(await page.getByRole("menu").count()).toBe(isOpen ? 1 : 0);
  }
  await expectFocusOn(button(page, "Add"));
});

test("of a deep folder the path shows where it begins and ends, and the middle when asked, by keyboard", async () => {
  const names = ["A", "B", "C", LONG_NAME, "E"];
  await ownerIn(shared, `${names.join("/")}/`);
  const around = page.getByRole("navigation", { name: "Folder path" });
  for (const name of names) await page.getByRole("link", { name, exact: true }).last().click();
  const shown = () => around.getByRole("link").allTextContents();
  await expect.poll(shown).toEqual(["All files", LONG_NAME, "E"]);
  await told(page, "This folder is empty");
  await around.getByRole("link", { name: "All files" }).press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(shown).toEqual(["All files", ...names]);
  await expect.poll(() => focused(page)).toBe("A");
  await page.keyboard.press("Enter");
  await row(page, "B").waitFor();
  expect(await shown()).toEqual(["All files", "A"]);
});

const MANY = 300;

/** Somebody with many notes in a folder below another one. */
async function newOwnerOfMany(): Promise<void> {
  const person = await newSignedIn(shared);
  const { username } = person;
  const home = `origin/(c) users/${username}`;
  const notes = Array.from({ length: MANY }, (_, n) => ({
    ...file(username, n + 4, "x".repeat(n), `note ${n}`),
    location: `${home}/Letters/From Ada`,
  }));
  // The list of a folder gives the number of its entries.
  const ids = notes.map(({ id }) => id);
  const folders = [
    { type: ".folder", name: "Letters", location: home, data: [idOf(3)], id: idOf(2) },
    { type: ".folder", name: "From Ada", location: `${home}/Letters`, data: ids, id: idOf(3) },
  ];
  await importDocument(person, chunks(JSON.stringify([root(username), ...folders, ...notes].flatMap(values))));
}

test("all folders are searched, by keyboard; a folder of 300 files comes a page at a time", async () => {
  await newOwnerOfMany();
  await openReady(page, "/files");
  const field = page.getByRole("searchbox", { name: "Filter" });
  await page.keyboard.press("/");
  await expectFocusOn(field);
  await page.keyboard.type("NOTE 24");
  await heading(page, "No matches for “NOTE 24” in this folder");
  await press(page, "Search all folders", "11 matches");
  await expectGoodLooks(page);
  // A result has the actions of a row, and is pointed out in its folder.
  await choose(page, "note 248.txt");
  await deleteByKey(page);
  await told(page, "note 248.txt deleted.", "10 matches");
  await undo(page, "note 248.txt deleted.");
  await told(page, "11 matches");
  await press(row(page, "note 249.txt"), "More actions");
  await page.getByRole("menuitem", { name: "Show in folder" }).click();
  await expect.poll(() => row(page, "note 249.txt").getAttribute("aria-selected")).toBe("true");
  await expectFocusOn(row(page, "note 249.txt"));
  expect(await field.inputValue()).toBe("");
  await page.goBack();
  await told(page, "11 matches");
  expect(await field.inputValue()).toBe("NOTE 24");

  // Of many results the first hundred.
  await field.fill("note");
  await told(page, "More than 100 matches.");
  expect(await page.getByRole("row").getByRole("link").count()).toBe(100);
  await page.getByLabel("Search in").selectOption("This folder");
  await press(page, "Clear filter");
  await row(page, "Letters").waitFor();
  await expect.poll(() => field.inputValue()).toBe("");

  const at = (shown: string) => page.getByText(`${shown} of ${MANY}`).waitFor();
  await enterFolder(page, "Letters");
  await enterFolder(page, "From Ada");
  await at("1–100");
  expect(await page.locator("[role=grid] tbody tr").count()).toBe(100);
  await expectGoodLooks(page, "nav[aria-label='Pages of the folder']");
  for (const [name, shown] of [
    ["Next", "101–200"],
    ["First", "1–100"],
    ["Last", "201–300"],
    ["Previous", "101–200"],
    ["Next", "201–300"],
  ] as const) {
    await page.getByRole("link", { name }).click();
    await at(shown);
  }
  await page.getByLabel("Select all on this page").check();
  await selectionBar(page).getByRole("button", { name: "Delete" }).click();
  await told(page, "101–200 of 200");
  shared.expectCalm();
});

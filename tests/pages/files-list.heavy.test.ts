import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { makeFolder, newOwner, pathsOf, row, textFile, uploadFiles } from "./files-page";
import { openForEach } from "./open-for-each";
import type { Person } from "./person";

let person: Person;
let page: Page;
openForEach(newOwner, (owner) => {
  person = owner;
  page = owner.page;
});

const dialog = () => page.getByRole("dialog");

describe("the list", () => {
  test("is sorted and filtered, with folders first", async () => {
    await makeFolder(page, "zoo");
    await uploadFiles(
      page,
      [textFile("b.txt", "1"), textFile("A.md", "333"), textFile("note 10.txt", "22"), textFile("note 9.txt", "4444")],
      4,
    );
    const names = () => page.locator("[role=grid] tbody a").allTextContents();
    const sort = async (column: string, expected: string[]) => {
      await page.getByRole("columnheader", { name: column }).getByRole("button").click();
      await expect.poll(names).toEqual(expected);
    };
    await expect.poll(names).toEqual(["zoo", "A.md", "b.txt", "note 9.txt", "note 10.txt"]);
    await sort("Name", ["zoo", "note 10.txt", "note 9.txt", "b.txt", "A.md"]);
    await sort("Size", ["zoo", "b.txt", "note 10.txt", "A.md", "note 9.txt"]);
    await sort("Size", ["zoo", "note 9.txt", "A.md", "note 10.txt", "b.txt"]);
    await page.getByRole("searchbox", { name: "Filter" }).fill("NOTE");
    await expect.poll(names).toEqual(["note 9.txt", "note 10.txt"]);
    await page.getByRole("searchbox", { name: "Filter" }).fill("nothing like it");
    await page.getByRole("button", { name: "Clear filter" }).click();
    await expect.poll(names).toHaveLength(5);
  });

  test("is worked by keyboard alone", async () => {
    await makeFolder(page, "Box");
    await uploadFiles(page, [textFile("a.txt"), textFile("b.txt"), textFile("c.txt")], 3);
    const chosen = () => page.locator("[role=grid] tbody tr[aria-selected=true] a").allTextContents();
    const press = async (key: string, expected: string[]) => {
      await page.keyboard.press(key);
      await expect.poll(chosen).toEqual(expected);
    };
    await row(page, "c.txt").waitFor();
    await row(page, "Box").focus();
    await press("ArrowDown", ["a.txt"]);
    await press("Shift+ArrowDown", ["a.txt", "b.txt"]);
    await press("Shift+End", ["a.txt", "b.txt", "c.txt"]);
    await press("Escape", []);
    await press("Home", ["Box"]);
    await press("Control+ArrowDown", ["Box"]);
    await press("Control+ArrowDown", ["Box"]);
    await press("Space", ["Box", "b.txt"]);
    await press("Control+a", ["Box", "a.txt", "b.txt", "c.txt"]);
    await press("ArrowUp", ["a.txt"]);
    await page.keyboard.press("Enter");
    await dialog().locator("pre").waitFor();
    await page.keyboard.press("Escape");
    await press("Delete", []);
    await page.getByText("a.txt deleted.").waitFor();
    await press("Shift+F10", ["b.txt"]);
    await page.getByRole("menuitem", { name: "Rename" }).waitFor();
    const inMenu = async (key: string, item: string) => {
      await page.keyboard.press(key);
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(item);
    };
    await inMenu("ArrowDown", "Download");
    await inMenu("ArrowUp", "Open");
    await inMenu("ArrowUp", "Delete");
    await inMenu("ArrowDown", "Open");
    await inMenu("End", "Delete");
    await inMenu("Home", "Open");
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await press("Home", ["Box"]);
    await page.keyboard.press("Enter");
    await page.getByText("This folder is empty").waitFor();
    await page.goBack();
    await row(page, "b.txt").waitFor();
    const isInList = () => page.evaluate(() => document.activeElement?.closest("tbody") !== null);
    await expect.poll(isInList).toBe(true);
    await press("Home", ["Box"]);
    await press("ArrowDown", ["b.txt"]);
    expect(await pathsOf(person)).toEqual(["Box", "b.txt", "c.txt"]);
  });
});

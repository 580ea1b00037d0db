import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import {
  bytesOf,
  enterFolder,
  makeFolder,
  newOwner,
  pathsOf,
  row,
  storedFiles,
  textFile,
  uploadFiles,
} from "./files-page";
import { openForEach } from "./open-for-each";
import type { Person } from "./person";
import { reloadReady } from "./visitor";

let person: Person;
let page: Page;
openForEach(newOwner, (owner) => {
  person = owner;
  page = owner.page;
});

const dialog = () => page.getByRole("dialog");

async function choose(...names: string[]) {
  for (const [index, name] of names.entries())
    await row(page, name).click({ modifiers: index === 0 ? [] : ["Control"] });
}

describe("a person", () => {
  test("makes folders in folders, goes in and out, and finds the way by the address", async () => {
    await makeFolder(page, "Letters");
    await enterFolder(page, "Letters");
    await makeFolder(page, "From Ada & Bob, 100 % <b>");
    await enterFolder(page, "From Ada & Bob, 100 % <b>");
    expect(await pathsOf(person)).toEqual(["Letters", "Letters/From Ada & Bob, 100 % <b>"]);
    const address = page.url();
    await page.getByRole("link", { name: "Letters", exact: true }).click();
    await row(page, "From Ada & Bob, 100 % <b>").waitFor();
    await page.goBack();
    await page.getByText("This folder is empty").waitFor();
    await page.goto(address);
    await page.getByText("This folder is empty").waitFor();
    await page.goto("/files?folder=00000000000000000000000000000000");
    await page.getByRole("heading", { name: "Folder not found" }).waitFor();
  });

  test("sees of a deep folder where it begins and ends, and the middle when asked, by keyboard", async () => {
    for (const name of ["A", "B", "C", "D", "E"]) {
      await makeFolder(page, name);
      await enterFolder(page, name);
    }
    const around = page.getByRole("navigation", { name: "Folder path" });
    const shown = () => around.getByRole("link").allTextContents();
    await expect.poll(shown).toEqual(["All files", "D", "E"]);
    await around.getByRole("link", { name: "All files" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(shown).toEqual(["All files", "A", "B", "C", "D", "E"]);
    await expect.poll(() => page.locator(":focus").textContent()).toBe("A");
    await page.keyboard.press("Enter");
    await row(page, "B").waitFor();
    expect(await shown()).toEqual(["All files", "A"]);
  });

  test("renames; names that exist or cannot be are refused with a sentence, and nothing is lost", async () => {
    await makeFolder(page, "Old");
    await enterFolder(page, "Old");
    await uploadFiles(page, [textFile("a.txt"), textFile("b.txt")], 2);
    await page.getByRole("link", { name: "All files" }).click();
    await choose("Old");
    await page.keyboard.press("F2");
    await page.getByLabel("Name", { exact: true }).fill("New 🔑");
    await page.keyboard.press("Enter");
    await row(page, "New 🔑").waitFor();
    await enterFolder(page, "New 🔑");
    await choose("a.txt");
    await page.getByRole("toolbar").getByRole("button", { name: "Rename" }).click();
    for (const name of ["b.txt", "a/b.txt", "..", " \u0007"]) {
      await page.getByLabel("Name", { exact: true }).fill(name);
      await dialog().getByRole("button", { name: "Rename" }).click();
      await dialog().getByRole("alert").filter({ hasText: /./ }).waitFor();
      expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe(name);
    }
    await page.getByLabel("Name", { exact: true }).fill("a.md");
    await dialog().getByRole("button", { name: "Rename" }).click();
    await row(page, "a.md").waitFor();
    expect(await pathsOf(person)).toEqual(["New 🔑", "New 🔑/a.md", "New 🔑/b.txt"]);
    expect(bytesOf((await storedFiles(person)).get("New 🔑/a.md"))?.toString()).toBe("text of a.txt");
  });

  test("moves by a dialog and by dragging, and is asked where the name exists there", async () => {
    await makeFolder(page, "Box");
    await makeFolder(page, "Drawer");
    await uploadFiles(page, [textFile("a.txt"), textFile("b.txt"), textFile("c.txt")], 3);
    await choose("a.txt", "Drawer");
    await page.getByRole("toolbar").getByRole("button", { name: "Move" }).click();
    expect(await dialog().getByRole("radio", { name: "Drawer" }).count()).toBe(0);
    await dialog().getByRole("radio", { name: "Box" }).check();
    await dialog().getByRole("button", { name: "Move here" }).click();
    await page.getByText("2 items moved to Box.").waitFor();
    // Rows move up when the moved ones leave the list: one that is dragged before that is another one.
    await row(page, "a.txt").waitFor({ state: "detached" });
    await row(page, "b.txt").dragTo(row(page, "Box"));
    await page.getByText("b.txt moved to Box.").waitFor();
    expect(await pathsOf(person)).toEqual(["Box", "Box/Drawer", "Box/a.txt", "Box/b.txt", "c.txt"]);

    // Earlier toasts would say the same.
    await reloadReady(page);
    await uploadFiles(page, textFile("b.txt", "another"));
    await row(page, "b.txt").dragTo(row(page, "Box"));
    await dialog().getByRole("button", { name: "Keep both" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("b.txt moved back.").waitFor();
    expect(await pathsOf(person)).toEqual(["Box", "Box/Drawer", "Box/a.txt", "Box/b.txt", "b.txt", "c.txt"]);
    await reloadReady(page);
    await row(page, "b.txt").dragTo(row(page, "Box"));
    await dialog().getByRole("button", { name: "Keep both" }).click();
    await page.getByText("b.txt moved to Box.").waitFor();
    const stored = await storedFiles(person);
    expect([...stored.keys()].toSorted()).toEqual([
      "",
      "Box",
      "Box/Drawer",
      "Box/a.txt",
      "Box/b (2).txt",
      "Box/b.txt",
      "c.txt",
    ]);
    expect([stored.get("Box/b.txt")?.data, stored.get("Box/b (2).txt")?.data]).toEqual(["text of b.txt", "another"]);

    await enterFolder(page, "Box");
    await row(page, "a.txt").dragTo(page.getByRole("link", { name: "All files" }));
    const toast = page.getByRole("status").locator("div", { hasText: "a.txt moved to All files." });
    await toast.waitFor();
    expect(await pathsOf(person)).toContain("a.txt");
    await page.getByRole("link", { name: "All files" }).click();
    await row(page, "a.txt").waitFor();
    await toast.getByRole("button", { name: "Undo" }).click();
    await page.getByText("a.txt moved back.").waitFor();
    await row(page, "a.txt").waitFor({ state: "detached" });
    expect(await pathsOf(person)).toContain("Box/a.txt");
  });

  test("is told how many names are taken where several are moved to", async () => {
    await makeFolder(page, "Box");
    await enterFolder(page, "Box");
    await uploadFiles(page, [textFile("a.txt", "old"), textFile("b.txt", "old")], 2);
    await page.getByRole("link", { name: "All files" }).click();
    await uploadFiles(page, [textFile("a.txt"), textFile("b.txt"), textFile("c.txt")], 3);
    await choose("a.txt", "b.txt", "c.txt");
    await row(page, "b.txt").dragTo(row(page, "Box"));
    await dialog().getByText("There is already something named a.txt in Box. 1 more name is taken too.").waitFor();
    expect(await dialog().getByRole("definition").allTextContents()).toEqual([
      expect.stringMatching(/^3 B, modified \d+ \w+ \d{4}, [\d:]+$/),
      expect.stringMatching(/^13 B, modified \d+ \w+ \d{4}, [\d:]+$/),
    ]);
    await dialog().getByRole("button", { name: "Replace" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("3 items moved back.").waitFor();
    const stored = await storedFiles(person);
    expect(["a.txt", "Box/a.txt", "b.txt", "Box/b.txt", "c.txt"].map((path) => stored.get(path)?.data)).toEqual([
      "text of a.txt",
      "old",
      "text of b.txt",
      "old",
      "text of c.txt",
    ]);
  });

  test("deletes a folder with all that is in it, and takes that back", async () => {
    await makeFolder(page, "Box");
    await enterFolder(page, "Box");
    await uploadFiles(page, [textFile("a.txt"), textFile("b.txt")], 2);
    await page.getByRole("link", { name: "All files" }).click();
    await uploadFiles(page, textFile("c.txt"));
    const before = await storedFiles(person);
    await choose("Box", "c.txt");
    await page.keyboard.press("Delete");
    await page.getByText("2 items deleted.").waitFor();
    expect(await pathsOf(person)).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("2 items restored.").waitFor();
    await row(page, "c.txt").waitFor();
    const after = await storedFiles(person);
    expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted());
    for (const [path, stored] of before) if (stored.type !== ".folder") expect(after.get(path)).toEqual(stored);
  });

  test("restores what was deleted, after the page was left", async () => {
    await makeFolder(page, "Box");
    await enterFolder(page, "Box");
    await uploadFiles(page, [textFile("a.txt"), textFile("b.txt")], 2);
    await page.getByRole("link", { name: "All files" }).click();
    await uploadFiles(page, textFile("c.txt"));
    await page.getByRole("button", { name: "Recently deleted" }).click();
    await dialog().getByText("Nothing to restore.").waitFor();
    await dialog().getByRole("button", { name: "Close" }).click();
    await choose("Box", "c.txt");
    await page.keyboard.press("Delete");
    await page.getByText("2 items deleted.").waitFor();
    await page.goto("/files");
    await page.getByRole("button", { name: "Recently deleted" }).click();
    await dialog().getByText("Box, c.txt").waitFor();
    await dialog().getByText("4 items, deleted").waitFor();
    await dialog().getByRole("button", { name: "Restore" }).click();
    await dialog().getByText("Restored.").waitFor();
    expect(await dialog().getByRole("button", { name: "Restore" }).count()).toBe(0);
    await dialog().getByRole("button", { name: "Close" }).click();
    await row(page, "c.txt").waitFor();
    expect(await pathsOf(person)).toEqual(["Box", "Box/a.txt", "Box/b.txt", "c.txt"]);
  });
});

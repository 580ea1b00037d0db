import { expect, test } from "vitest";
import { cookieOf, wordsOf } from "./confirming";
import {
  choose,
  deleteByKey,
  enterFolder,
  fromMenu,
  makeFolder,
  ownerIn,
  pathsOf,
  row,
  storedFiles,
  textFile,
  undo,
  uploadFiles,
} from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { newVisitor } from "./visitor";

const shared = await newVisitor();
const { page } = shared;

test("a person makes folders in folders, uploads into one, and finds the way by the address", async () => {
  const person = await ownerIn(shared);
  await page.getByText("No files yet").waitFor();
  await makeFolder(page, "Letters");
  await enterFolder(page, "Letters");
  const name = "From Ada & Bob, 100 % <b>";
  await makeFolder(page, name);
  await enterFolder(page, name);
  await page.getByText("This folder is empty").waitFor();
  await uploadFiles(page, textFile("a.txt"));
  const address = page.url();
  expect(await pathsOf(person)).toEqual(["Letters", `Letters/${name}`, `Letters/${name}/a.txt`]);
  await page.getByRole("link", { name: "Letters", exact: true }).click();
  await row(page, name).waitFor();
  await page.goBack();
  await row(page, "a.txt").waitFor();
  await page.goto(address);
  await page.getByRole("link", { name: "a.txt" }).click();
  await page.getByRole("dialog", { name: "a.txt" }).getByText("text of a.txt").waitFor();
  const words = await wordsOf("/files?folder=00000000000000000000000000000000", await cookieOf(person));
  expect(words).toContain("Folder not found");
  person.expectCalm();
});

test("a person deletes, takes that back, and restores what was deleted after the page was left", async () => {
  const person = await ownerIn(shared, "Box/a.txt", "Box/b.txt", "c.txt");
  const dialog = page.getByRole("dialog");
  const deleted = () => fromMenu(page, "More", "Recently deleted");
  await deleted();
  await dialog.getByText("Nothing to restore.").waitFor();
  await dialog.getByRole("button", { name: "Close", exact: true }).click();

  const before = await storedFiles(person);
  const remove = async () => {
    await choose(page, "Box", "c.txt");
    await deleteByKey(page);
    await page.getByText("2 items deleted.").waitFor();
    expect(await pathsOf(person)).toEqual([]);
  };
  const expectRestored = async () => {
    await row(page, "c.txt").waitFor();
    const after = await storedFiles(person);
    expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted());
    for (const [path, stored] of before) if (stored.type !== ".folder") expect(after.get(path)).toEqual(stored);
  };
  await remove();
  await undo(page, "2 items deleted.");
  await page.getByText("2 items restored.").waitFor();
  await expectRestored();

  await remove();
  await page.goto("/files");
  await deleted();
  await dialog.getByText("Box, c.txt").waitFor();
  await dialog.getByText("4 items, deleted").waitFor();
  await expectGoodLooks(page);
  await dialog.getByRole("button", { name: "Restore" }).click();
  await dialog.getByText("Restored.").waitFor();
  expect(await dialog.getByRole("button", { name: "Restore" }).count()).toBe(0);
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await expectRestored();
});

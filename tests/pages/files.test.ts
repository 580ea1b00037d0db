import { expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { chunks, idOf, root, values } from "@/tests/support/documents";
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
  selectionBar,
  storedFiles,
  textFile,
  textsOf,
  undo,
  uploadFiles,
} from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { press, told } from "./on-page";
import { newSignedIn, newVisitor, openReady } from "./visitor";

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

test("a person moves by dragging and by a dialog, decides about taken names, and takes that back", async () => {
  const old: [string, string][] = ["a", "b"].map((name) => [`Box/${name}.txt`, "old"]);
  const person = await ownerIn(shared, ...old, "Drawer/", "a.txt", "b.txt", "c.txt");
  const dialog = page.getByRole("dialog");
  const before = await textsOf(person);
  await choose(page, "a.txt", "b.txt", "c.txt");
  await row(page, "b.txt").dragTo(row(page, "Box"));
  await told(dialog, "There is already something named a.txt in Box. 1 more name is taken too.");
  await told(dialog, /^3 B, modified/, /^13 B, modified/);
  await expectGoodLooks(page);
  await press(dialog, "Replace");
  await told(page, "3 items moved to Box.");
  expect(await textsOf(person)).toMatchObject({ "Box/a.txt": "text of a.txt", "Box/b.txt": "text of b.txt" });
  await undo(page, "3 items moved to Box.");
  await told(page, "3 items moved back.");
  expect(await textsOf(person)).toEqual({ ...before, Box: expect.anything() });

  await row(page, "b.txt").waitFor();
  await choose(page, "b.txt");
  await row(page, "b.txt").dragTo(row(page, "Box"));
  await press(dialog, "Keep both");
  await page.getByText("b.txt moved to Box.", { exact: true }).waitFor();
  expect(await textsOf(person)).toMatchObject({ "Box/b.txt": "old", "Box/b (2).txt": "text of b.txt" });

  await choose(page, "c.txt", "Drawer");
  await selectionBar(page).getByRole("button", { name: "Move" }).click();
  expect(await dialog.getByRole("radio", { name: "Drawer" }).count()).toBe(0);
  await dialog.getByRole("radio", { name: "Box" }).check();
  await expectGoodLooks(page);
  await press(dialog, "Move here");
  await told(page, "2 items moved to Box.");
  const inBox = ["Box/Drawer", "Box/a.txt", "Box/b (2).txt", "Box/b.txt", "Box/c.txt"];
  expect(await pathsOf(person)).toEqual(["Box", ...inBox, "a.txt"]);
  await enterFolder(page, "Box");
  await row(page, "c.txt").dragTo(page.getByRole("link", { name: "All files" }));
  await told(page, "c.txt moved to All files.");
  expect(await pathsOf(person)).toContain("c.txt");
});

test("the tree shows the first 1,000 of many folders, and says so", async () => {
  const owner = await newSignedIn(shared);
  const { username } = owner;
  const location = `origin/(c) users/${username}`;
  const ids = Array.from({ length: 1_010 }, (_, n) => idOf(n + 2));
  const folders = ids.flatMap((id, n) => values({ type: ".folder", name: `folder ${n}`, location, data: [], id }));
  await importDocument(owner, chunks(JSON.stringify([...values(root(username, ids)), ...folders])));
  await openReady(page, "/files");
  await row(page, "folder 0").getByRole("checkbox").check();
  await selectionBar(page).getByRole("button", { name: "Move" }).click();
  const tree = page.getByRole("dialog");
  await told(tree, "Only the first 1,000 folders are shown.");
  // "All files" is one more, and what is moved is not shown.
  expect(await tree.getByRole("radio").count()).toBe(1_000);
});

test("a person renames; a name that exists or cannot be is refused with a sentence, and nothing is lost", async () => {
  const person = await ownerIn(shared, "Old/a.txt", "Old/b.txt");
  const [name, dialog] = [page.getByLabel("Name", { exact: true }), page.getByRole("dialog")];
  await choose(page, "Old");
  await page.keyboard.press("F2");
  await name.fill("New 🔑");
  await page.keyboard.press("Enter");
  await row(page, "New 🔑").waitFor();
  await enterFolder(page, "New 🔑");
  await choose(page, "a.txt");
  await selectionBar(page).getByRole("button", { name: "Rename" }).click();
  for (const refused of ["b.txt", "a/b.txt"]) {
    await name.fill(refused);
    await press(dialog, "Rename");
    await dialog.getByRole("alert").filter({ hasText: /./ }).waitFor();
    expect(await name.inputValue()).toBe(refused);
  }
  await name.fill("a.md");
  await press(dialog, "Rename");
  await row(page, "a.md").waitFor();
  expect(await textsOf(person)).toMatchObject({ "New 🔑/a.md": "text of a.txt", "New 🔑/b.txt": "text of b.txt" });
  expect(await pathsOf(person)).toHaveLength(3);
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

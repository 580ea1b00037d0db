import { expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { chunks, idOf, root, values } from "@/tests/support/documents";
import { choose, enterFolder, ownerIn, pathsOf, row, selectionBar, textsOf, undo } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { press, told } from "./on-page";
import { newSignedIn, newVisitor, openReady } from "./visitor";

const shared = await newVisitor();
const { page } = shared;

test("a person moves by dragging and by a dialog, decides about taken names, and takes that back", async () => {
  const person = await ownerIn(
    shared,
    ["Box/a.txt", "old"],
    ["Box/b.txt", "old"],
    "Drawer/",
    "a.txt",
    "b.txt",
    "c.txt",
  );
  const dialog = page.getByRole("dialog");
  const before = await textsOf(person);
  await choose(page, "a.txt", "b.txt", "c.txt");
  await row(page, "b.txt").dragTo(row(page, "Box"));
  await told(dialog, "There is already something named a.txt in Box. 1 more name is taken too.");
  expect(await dialog.getByRole("definition").allTextContents()).toEqual([
    expect.stringMatching(/^3 B, modified \d+ \w+ \d{4}, [\d:]+$/),
    expect.stringMatching(/^13 B, modified \d+ \w+ \d{4}, [\d:]+$/),
  ]);
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
  await undo(page, "b.txt moved to Box.");
  await told(page, "b.txt moved back.");
  expect(await pathsOf(person)).toEqual(Object.keys(before).toSorted());

  await row(page, "b.txt").waitFor();
  await choose(page, "c.txt", "Drawer");
  await selectionBar(page).getByRole("button", { name: "Move" }).click();
  expect(await dialog.getByRole("radio", { name: "Drawer" }).count()).toBe(0);
  await dialog.getByRole("radio", { name: "Box" }).check();
  await expectGoodLooks(page);
  await press(dialog, "Move here");
  await told(page, "2 items moved to Box.");
  const inBox = ["Box", "Box/Drawer", "Box/a.txt", "Box/b.txt", "Box/c.txt"];
  expect(await pathsOf(person)).toEqual([...inBox, "a.txt", "b.txt"]);
  await enterFolder(page, "Box");
  await row(page, "c.txt").dragTo(page.getByRole("link", { name: "All files" }));
  await told(page, "c.txt moved to All files.");
  expect(await pathsOf(person)).toContain("c.txt");
  await page.getByRole("link", { name: "All files" }).click();
  await row(page, "c.txt").waitFor();
  await undo(page, "c.txt moved to All files.");
  await told(page, "c.txt moved back.");
  await row(page, "c.txt").waitFor({ state: "detached" });
  expect(await pathsOf(person)).toContain("Box/c.txt");
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
  await expectGoodLooks(page);
  await name.fill("a.md");
  await press(dialog, "Rename");
  await row(page, "a.md").waitFor();
  expect(await textsOf(person)).toMatchObject({ "New 🔑/a.md": "text of a.txt", "New 🔑/b.txt": "text of b.txt" });
  expect(await pathsOf(person)).toHaveLength(3);
});

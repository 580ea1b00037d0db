import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ask } from "../support/http";
import { bytesOf, enterFolder, makeFolder, newOwner, row, storedFiles, textFile, uploadFiles } from "./files-page";
import { launchBrowser, type Person } from "./person";

const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==", "base64");

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

const paths = async () => [...(await storedFiles(person)).keys()].filter((path) => path !== "").toSorted();
const dialog = () => page.getByRole("dialog");
const document = async () => (await ask("/read-files", { query: { auth: person.token } })).text;

async function choose(...names: string[]) {
  for (const [index, name] of names.entries()) await row(page, name).click({ modifiers: index === 0 ? [] : ["Control"] });
}

describe("a person", () => {
  test("makes folders in folders, goes in and out, and finds the way by the address", async () => {
    await makeFolder(page, "Letters");
    await enterFolder(page, "Letters");
    await makeFolder(page, "From Ada & Bob, 100 % <b>");
    await enterFolder(page, "From Ada & Bob, 100 % <b>");
    expect(await paths()).toEqual(["Letters", "Letters/From Ada & Bob, 100 % <b>"]);
    const address = page.url();
    await page.getByRole("link", { name: "Letters", exact: true }).click();
    await row(page, "From Ada & Bob, 100 % <b>").waitFor();
    await page.goBack();
    await page.getByText("This folder is empty").waitFor();
    await page.goto(address);
    await page.getByText("This folder is empty").waitFor();
    await page.goto("/files?folder=00000000000000000000000000000000");
    await page.getByRole("heading", { name: "There is no such folder" }).waitFor();
  });

  test("sees of a deep folder where it begins and ends, and the middle when asked, by keyboard", async () => {
    for (const name of ["A", "B", "C", "D", "E"]) {
      await makeFolder(page, name);
      await enterFolder(page, name);
    }
    const around = page.getByRole("navigation", { name: "Folders around this one" });
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
    expect(await paths()).toEqual(["New 🔑", "New 🔑/a.md", "New 🔑/b.txt"]);
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
    await page.getByText("2 items moved.").waitFor();
    await row(page, "b.txt").dragTo(row(page, "Box"));
    await page.getByText("1 item moved.").waitFor();
    expect(await paths()).toEqual(["Box", "Box/Drawer", "Box/a.txt", "Box/b.txt", "c.txt"]);

    await uploadFiles(page, textFile("b.txt", "another"));
    await row(page, "b.txt").dragTo(row(page, "Box"));
    await dialog().getByRole("button", { name: "Keep both" }).click();
    await page.getByText("1 item moved.").waitFor();
    const stored = await storedFiles(person);
    expect([...stored.keys()].toSorted()).toEqual(["", "Box", "Box/Drawer", "Box/a.txt", "Box/b (2).txt", "Box/b.txt", "c.txt"]);
    expect([stored.get("Box/b.txt")?.data, stored.get("Box/b (2).txt")?.data]).toEqual(["text of b.txt", "another"]);

    await enterFolder(page, "Box");
    await row(page, "a.txt").dragTo(page.getByRole("link", { name: "All files" }));
    await page.getByText("1 item moved.").waitFor();
    expect(await paths()).toContain("a.txt");
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
    expect(await paths()).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("2 items brought back.").waitFor();
    await row(page, "c.txt").waitFor();
    const after = await storedFiles(person);
    expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted());
    for (const [path, stored] of before) if (stored.type !== ".folder") expect(after.get(path)).toEqual(stored);
  });

  test("looks at text, JSON and pictures, and downloads what was stored", async () => {
    const text = "<b>bold</b>\n  ä 🔑";
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="teal"/></svg>`;
    await uploadFiles(
      page,
      [
        textFile("note.txt", text),
        textFile("data.json", '{"list":[1,{"deep":true}]}'),
        { name: "pixel.png", mimeType: "image/png", buffer: PIXEL },
        textFile("drawing.svg", svg),
        { name: "sound.mp3", mimeType: "audio/mpeg", buffer: Buffer.from([0xff, 0xfb, 0, 0, 1]) },
      ],
      5,
    );
    const look = async (name: string) => {
      if ((await dialog().count()) > 0) await page.keyboard.press("Escape");
      await page.getByRole("link", { name, exact: true }).click();
    };
    await look("note.txt");
    expect(await dialog().locator("pre").textContent()).toBe(text);
    await look("data.json");
    expect(await dialog().locator("pre").textContent()).toBe(JSON.stringify({ list: [1, { deep: true }] }, null, 2));
    for (const [name, width] of [
      ["pixel.png", 1],
      ["drawing.svg", 40],
    ] as const) {
      await look(name);
      await expect
        .poll(() =>
          dialog()
            .locator("img")
            .evaluate((image: HTMLImageElement) => image.naturalWidth),
        )
        .toBe(width);
    }
    await look("sound.mp3");
    await dialog().getByText("This kind of file cannot be shown here.").waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), dialog().getByRole("link", { name: "Download" }).click()]);
    expect(download.suggestedFilename()).toBe("sound.mp3");
    expect(readFileSync(await download.path())).toEqual(Buffer.from([0xff, 0xfb, 0, 0, 1]));
    person.expectCalm();
  });

  test("exports everything, and imports it elsewhere in place of what was there", async () => {
    await makeFolder(page, "Box");
    await uploadFiles(page, [textFile("a.txt"), { name: "b.bin", mimeType: "", buffer: Buffer.from([0, 255, 1]) }], 2);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
    await page.getByText("Saved as").waitFor();
    const exported = readFileSync(await download.path(), "utf8");
    expect(exported).toBe(await document());

    const other = await newOwner(browser);
    await uploadFiles(other.page, textFile("old.txt"));
    await other.page.getByRole("button", { name: "Import" }).click();
    await other.page.getByText("1 file or folder, ").waitFor();
    const send = async (name: string, text: string) => {
      await other.page.getByLabel("Document", { exact: true }).setInputFiles(textFile(name, text));
      await other.page.getByLabel("I know that what I have now").check();
      await other.page.getByRole("button", { name: "Replace everything" }).click();
    };
    await send("bad.json", exported.replace('".txt"', "5"));
    await other.page.getByText(/^Entry \d, type: this must be of the kind string, not number\.$/).waitFor();
    await send("worse.json", exported.slice(0, -1));
    await other.page.getByText(/This is not a JSON array: it ends too early.* What you had is still there/).waitFor();
    expect([...(await storedFiles(other)).keys()]).toEqual(["", "old.txt"]);
    await send("good.json", exported);
    await other.page.getByText("Imported: 3 files and folders.").waitFor();
    await row(other.page, "Box").waitFor();
    const rewritten = exported.replaceAll(`"${person.username}"`, `"${other.username}"`).replaceAll(`/${person.username}`, `/${other.username}`);
    const read = (await ask("/read-files", { query: { auth: other.token } })).list;
    expect([...read.entries()].filter(([place]) => place % 14 !== 12)).toEqual([...JSON.parse(rewritten).entries()].filter(([place]) => place % 14 !== 12));
  });
});

describe("the list", () => {
  test("is sorted and filtered, with folders first", async () => {
    await makeFolder(page, "zoo");
    await uploadFiles(page, [textFile("b.txt", "1"), textFile("A.md", "333"), textFile("note 10.txt", "22"), textFile("note 9.txt", "4444")], 4);
    const names = () => page.locator("[role=grid] tbody a").allTextContents();
    const sort = async (column: string, expected: string[]) => {
      await page.getByRole("columnheader", { name: column }).getByRole("button").click();
      await expect.poll(names).toEqual(expected);
    };
    await expect.poll(names, { timeout: 10_000 }).toEqual(["zoo", "A.md", "b.txt", "note 9.txt", "note 10.txt"]);
    await sort("Name", ["zoo", "note 10.txt", "note 9.txt", "b.txt", "A.md"]);
    await sort("Size", ["zoo", "b.txt", "note 10.txt", "A.md", "note 9.txt"]);
    await sort("Size", ["zoo", "note 9.txt", "A.md", "note 10.txt", "b.txt"]);
    await page.getByRole("searchbox", { name: "Filter" }).fill("NOTE");
    await expect.poll(names).toEqual(["note 9.txt", "note 10.txt"]);
    await page.getByRole("searchbox", { name: "Filter" }).fill("nothing like it");
    await page.getByRole("button", { name: "Show all of them" }).click();
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
    await page.getByText("1 item deleted.").waitFor();
    await press("Shift+F10", ["b.txt"]);
    await page.getByRole("menuitem", { name: "Rename" }).waitFor();
    await page.keyboard.press("Escape");
    await press("Home", ["Box"]);
    await page.keyboard.press("Enter");
    await page.getByText("This folder is empty").waitFor();
    expect(await paths()).toEqual(["Box", "b.txt", "c.txt"]);
  });
});

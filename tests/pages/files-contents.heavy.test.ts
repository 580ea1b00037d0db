import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright";
import { describe, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { makeFolder, newOwner, row, storedFiles, textFile, uploadFiles } from "./files-page";
import { openForEach } from "./open-for-each";
import type { Person } from "./person";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

let browser: Browser;
let person: Person;
let page: Page;
openForEach(newOwner, (owner, ofAll) => {
  browser = ofAll;
  person = owner;
  page = owner.page;
});

const dialog = () => page.getByRole("dialog");
const document = async () => (await ask("/read-files", { query: { auth: person.token } })).text;

describe("a person", () => {
  test("goes from file to file in the order of the list, by buttons and by keys", async () => {
    await makeFolder(page, "Box");
    await uploadFiles(page, [textFile("a.txt"), textFile("b.txt"), textFile("c.txt")], 3);
    const looksAt = async (name: string, place: string) => {
      await page.getByRole("dialog", { name }).getByText(`text of ${name}`).waitFor();
      await dialog().getByText(place, { exact: true }).waitFor();
    };
    await page.getByRole("link", { name: "a.txt", exact: true }).click();
    await looksAt("a.txt", "1 of 3");
    expect(await dialog().getByRole("button", { name: "Previous" }).isDisabled()).toBe(true);
    await page.keyboard.press("ArrowRight");
    await looksAt("b.txt", "2 of 3");
    await dialog().getByRole("button", { name: "Next" }).click();
    await looksAt("c.txt", "3 of 3");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await looksAt("b.txt", "2 of 3");
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await expect.poll(() => row(page, "b.txt").getAttribute("tabindex")).toBe("0");
  });

  test("looks at text, JSON and pictures, and downloads what was stored", async () => {
    const text = "<b>bold</b>\n  ä 🔑";
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" ` +
      `fill="teal"/></svg>`;
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
    await dialog().getByText("This kind of file can't be previewed.").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog().getByRole("link", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("sound.mp3");
    expect(readFileSync(await download.path())).toEqual(Buffer.from([0xff, 0xfb, 0, 0, 1]));
    person.expectCalm();
  });

  test("exports everything, and imports it elsewhere in place of what was there", async () => {
    await makeFolder(page, "Box");
    await uploadFiles(page, [textFile("a.txt"), { name: "b.bin", mimeType: "", buffer: Buffer.from([0, 255, 1]) }], 2);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click(),
    ]);
    await page.getByText("Saved as").waitFor();
    const exported = readFileSync(await download.path(), "utf8");
    expect(exported).toBe(await document());

    const other = await newOwner(browser);
    await uploadFiles(other.page, textFile("old.txt"));
    await other.page.getByRole("button", { name: "Import" }).click();
    await other.page.getByText("1 file or folder, ").waitFor();
    const send = async (name: string, text: string) => {
      await other.page.getByLabel("Document", { exact: true }).setInputFiles(textFile(name, text));
      await other.page.getByLabel("I understand that my current files").check();
      await other.page.getByRole("button", { name: "Replace everything" }).click();
    };
    await send("bad.json", exported.replace('".txt"', "5"));
    await other.page.getByText(/^Entry \d, type: this must be of the kind string, not number\.$/).waitFor();
    await send("worse.json", exported.slice(0, -1));
    await other.page.getByText(/This is not a JSON array: it ends too early.* Your files are unchanged/).waitFor();
    expect([...(await storedFiles(other)).keys()]).toEqual(["", "old.txt"]);
    await send("good.json", exported);
    await other.page.getByText("Imported: 3 files and folders.").waitFor();
    await row(other.page, "Box").waitFor();
    const rewritten = exported
      .replaceAll(`"${person.username}"`, `"${other.username}"`)
      .replaceAll(`/${person.username}`, `/${other.username}`);
    const read = (await ask("/read-files", { query: { auth: other.token } })).list;
    expect([...read.entries()].filter(([place]) => place % 14 !== 12)).toEqual(
      [...JSON.parse(rewritten).entries()].filter(([place]) => place % 14 !== 12),
    );
  });
});

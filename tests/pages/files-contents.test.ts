import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { unzipped } from "@/tests/support/unzip";
import { choose, ownerIn, row, selectionBar, textFile, uploadFiles } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { downloaded, press, pressKeys, told } from "./on-page";
import { newVisitor } from "./visitor";

const shared = await newVisitor();
const { page } = shared;
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>`;
const NOTE = "<b>bold</b>\n  ä 🔑";

const dialog = page.getByRole("dialog");
const text = () => dialog.locator("pre").textContent();

test("a person goes from file to file in the order of the list, and looks at text, JSON and pictures", async () => {
  const { expectCalm } = await ownerIn(shared, "Box/", ["note.txt", NOTE], ["a.json", '{"list":[1,{"deep":true}]}']);
  const sound = Buffer.from([0xff, 0xfb, 0, 0, 1]);
  const files = [
    { name: "pixel.png", mimeType: "image/png", buffer: PIXEL },
    textFile("drawing.svg", SVG),
    { name: "sound.mp3", mimeType: "audio/mpeg", buffer: sound },
  ];
  await uploadFiles(page, files, 3);
  const looksAt = async (name: string, place: string) => {
    await page.getByRole("dialog", { name }).getByText(place, { exact: true }).waitFor();
  };
  const width = () => dialog.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth);
  await page.getByRole("link", { name: "a.json", exact: true }).click();
  await looksAt("a.json", "1 of 5");
  expect(await text()).toBe(JSON.stringify({ list: [1, { deep: true }] }, null, 2));
  expect(await dialog.getByRole("button", { name: "Previous" }).isDisabled()).toBe(true);
  await expectGoodLooks(page);
  await page.keyboard.press("ArrowRight");
  await looksAt("drawing.svg", "2 of 5");
  await expect.poll(width).toBe(40);
  await press(dialog, "Next");
  await looksAt("note.txt", "3 of 5");
  expect(await text()).toBe(NOTE);
  await page.keyboard.press("ArrowRight");
  await looksAt("pixel.png", "4 of 5");
  await expect.poll(width).toBe(1);
  await page.keyboard.press("ArrowRight");
  await told(dialog, "This kind of file can't be previewed.");
  await looksAt("sound.mp3", "5 of 5");
  const download = await downloaded(page, () => dialog.getByRole("link", { name: "Download" }).click());
  expect(download.suggestedFilename()).toBe("sound.mp3");
  expect(readFileSync(await download.path())).toEqual(sound);
  await pressKeys(page, "ArrowRight", "ArrowLeft");
  await looksAt("pixel.png", "4 of 5");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => row(page, "pixel.png").getAttribute("tabindex")).toBe("0");
  expectCalm();
});

test("text in other encodings is shown, in the one that is chosen; what is stored stays as it is", async () => {
  const { expectCalm } = await ownerIn(shared);
  const files = [
    ["1 japanese.csv", "", Buffer.from("93fa967b8cea82cc83658358836782c582b7", "hex")],
    ["2 western.unknown", "", Buffer.from("43616692e92097203580", "hex")],
    ["3 ascii.txt", "text/plain", Buffer.from("plain")],
  ] as const;
  await uploadFiles(
    page,
    files.map(([name, mimeType, buffer]) => ({ name, mimeType, buffer })),
    3,
  );
  const encoding = dialog.getByLabel("Encoding");
  await page.getByRole("link", { name: "1 japanese.csv", exact: true }).click();
  await expect.poll(text).toBe("日本語のテストです");
  expect(await encoding.locator("option:checked").textContent()).toBe("Japanese (Shift JIS)");
  for (const shown of ["Caf’é — 5€", "plain"]) {
    await press(dialog, "Next");
    await expect.poll(text).toBe(shown);
  }
  expect(await encoding.count()).toBe(0);
  await press(dialog, "Previous");
  await encoding.selectOption({ label: "Cyrillic (Windows-1251)" });
  await expect.poll(text).toBe("Caf’й — 5Ђ");
  // The keys that choose do not lead to another file.
  await encoding.press("ArrowLeft");
  await dialog.getByText("2 of 3", { exact: true }).waitFor();
  const download = await downloaded(page, () => dialog.getByRole("link", { name: "Download" }).click());
  expect(readFileSync(await download.path())).toEqual(files[1][2]);

  await press(dialog, "Previous");
  await encoding.selectOption("shift_jis");
  const href = await dialog.getByRole("link", { name: "Open in a new tab" }).getAttribute("href");
  expect(await page.goto(href ?? "").then((answer) => answer?.headers()["content-type"])).toBe(
    "text/plain; charset=shift_jis",
  );
  expectCalm();
});

test("several entries are downloaded as one archive; one that breaks off is not saved, but tried again", async () => {
  const { username } = await ownerIn(shared, "Box/a.txt", "Box/b.txt", "c.txt");
  let saved = 0;
  page.on("download", () => saved++);
  await page.route("**/files/archive", (route) => route.abort());
  await choose(page, "Box", "c.txt");
  await selectionBar(page).getByRole("button", { name: "Download" }).click();
  await dialog.getByRole("alert").filter({ hasText: /./ }).waitFor();
  await page.unrouteAll();
  // A program in front of the service answers in its place.
  await page.route("**/files/archive", (route) => route.fulfill({ contentType: "text/html", body: "<html>Not now" }));
  await press(dialog, "Try again", "The service sent an unexpected response (200).");
  await page.unrouteAll();
  expect(saved).toBe(0);
  const download = await downloaded(page, () => press(dialog, "Try again"));
  expect(download.suggestedFilename()).toBe(`${username}.zip`);
  const files = Object.fromEntries(await unzipped(await download.createReadStream(), "utf8"));
  const inBox = { "Box/": "", "Box/a.txt": "text of a.txt", "Box/b.txt": "text of b.txt" };
  expect(files).toEqual({ ...inBox, "c.txt": "text of c.txt" });
  await told(dialog, "Saved as");
  await press(dialog, "Done");

  await page.getByTitle("Clear selection").click();
  await press(row(page, "Box"), "More actions");
  const another = await downloaded(page, () => page.getByRole("menuitem", { name: "Download" }).click());
  expect(another.suggestedFilename()).toBe("Box.zip");
  await press(dialog, "Done");
  const all = await downloaded(page, () => press(page, "Download all (ZIP)"));
  expect(all.suggestedFilename()).toBe(`${username}-files.zip`);
  const everything = Object.entries(files).map(([path, text]) => [`${username}/${path}`, text]);
  expect(Object.fromEntries(await unzipped(await all.createReadStream(), "utf8"))).toEqual({
    ...Object.fromEntries(everything),
    [`${username}/`]: "",
  });
  await press(dialog, "Done");
  // The menu was about a row that was not selected, and leaves it so.
  expect(await page.locator("[role=grid] tbody tr[aria-selected=true]").count()).toBe(0);
});

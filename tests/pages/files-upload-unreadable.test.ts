import { randomBytes } from "node:crypto";
import { rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import type { Request } from "playwright";
import { beforeEach, expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import {
  expectStored,
  fileWriter,
  fromMenu,
  ownerIn,
  pathsOf,
  pickFiles,
  row,
  textFile,
  uploaded,
  uploadsPanel,
} from "./files-page";
import { expectGoodLooks, LONG_NAME } from "./good-looks";
import { expectFocusOn, press, pressKeys, told } from "./on-page";
import { newVisitor } from "./visitor";

const shared = await newVisitor();
const { page } = shared;
beforeEach(() => page.unrouteAll());
const newFile = fileWriter();
const small = (name: string) => newFile(name, randomBytes(1_000));
const single = (name: string) => newFile(name, randomBytes(100_000));
const SENTENCE =
  "This file was changed or removed on this device since you chose it, or can no longer be read. Choose it again.";

/** Writes a file anew, some minutes later: browsers compare whole seconds. */
function change(path: string, bytes: Buffer = randomBytes(100_000)): Buffer {
  writeFileSync(path, bytes);
  later(path);
  return bytes;
}
const later = (path: string) => utimesSync(path, new Date(), Date.now() / 1_000 + 300);

/** Holds the requests that upload until it is called. */
async function holdUploads(isMeant = (request: Request) => request.method() === "PUT") {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held: string[] = [];
  await page.route(/\/files\/uploads[/?]/, async (route) => {
    if (isMeant(route.request())) {
      held.push(route.request().url());
      await released;
    }
    return route.continue();
  });
  return { held, release };
}

test("files that change, grow, shrink or vanish while they wait are named at once, and the others arrive", async () => {
  const person = await ownerIn(shared);
  const first = ["1.bin", "2.bin", "3.bin"].map(single);
  const [changed, grown, shrunk, gone, whole] = ["changed", "grown", "shrunk", `gone ${LONG_NAME}`, "whole"].map(
    single,
  );
  const [large, tiny] = [newFile("large"), small("tiny")];
  if (!(changed && grown && shrunk && gone && whole)) throw new Error("no files");
  const { held, release } = await holdUploads();
  const waiting = [changed, grown, shrunk, gone, large, tiny, whole];
  await pickFiles(
    page,
    [...first, ...waiting].map(({ path }) => path),
  );
  await expect.poll(() => held.length).toBe(3);
  const bytes = change(changed.path);
  change(grown.path, randomBytes(200_000));
  truncateSync(shrunk.path, 10);
  later(shrunk.path);
  for (const { path } of [gone, tiny]) rmSync(path);
  change(large.path);
  release();

  await uploaded(page, "6 files couldn't be uploaded, 4 files uploaded");
  expect(await pathsOf(person)).toEqual(["1.bin", "2.bin", "3.bin", "whole"]);
  const panel = uploadsPanel(page);
  expect(await panel.getByText(SENTENCE, { exact: true }).count()).toBe(6);
  expect(await panel.getByRole("button", { name: /^Retry/ }).count()).toBe(0);
  expect(await db.fileDraft.count({ where: { userId: person.id } })).toBe(0);
  await expectGoodLooks(page);

  // Another file may be chosen, too: it comes into the same folder under its own name.
  const chooser = page.waitForEvent("filechooser");
  await panel.getByRole("button", { name: "Choose again: changed" }).press("Enter");
  await (await chooser).setFiles(changed.path);
  await uploaded(page, "5 files couldn't be uploaded, 5 files uploaded");
  await expectStored(person, "changed", bytes);

  await panel.getByRole("button", { name: "Remove grown from the list" }).press("Enter");
  await uploaded(page, "4 files couldn't be uploaded, 5 files uploaded");
  await pressKeys(page, "Tab");
  expect(await page.evaluate(() => document.activeElement?.closest("[data-uploads]") !== null)).toBe(true);
  await page.getByLabel("Close the list of uploads").click();
});

test("a file that changes between two of its parts leaves nothing behind; what was refused is retried", async () => {
  const person = await ownerIn(shared);
  const { path } = newFile("parts.bin");
  const { held, release } = await holdUploads((request) => request.url().includes("offset=0"));
  await pickFiles(page, path);
  await expect.poll(() => held.length).toBe(1);
  change(path, randomBytes(4_100_000));
  release();
  await told(uploadsPanel(page), SENTENCE);
  expect(await db.fileDraft.count({ where: { userId: person.id } })).toBe(0);

  await page.unrouteAll();
  const body = JSON.stringify({ error: "Not now.", code: "files_limit" });
  await page.route(/\/files\/uploads[/?]/, (route) =>
    route.fulfill({ status: 403, contentType: "application/json", body }),
  );
  await pickFiles(page, textFile("refused.txt"));
  await told(uploadsPanel(page), "Not now.");
  await page.unrouteAll();
  await press(page, "Retry failed upload");
  await uploaded(page, "1 file couldn't be uploaded, 1 file uploaded");
  expect(await pathsOf(person)).toEqual(["refused.txt"]);
  await press(page, "Remove parts.bin from the list");
  await uploaded(page);
});

/** Drops what the browser gives as an entry: a file that it cannot read, or an empty folder. */
async function drop(kind: "isFile" | "isDirectory", name: string) {
  const entry = await page.evaluateHandle(
    ([what, called]) => ({
      [what]: true,
      name: called,
      file: (_: unknown, fail: (error: Error) => void) => fail(new Error()),
      createReader: () => ({ readEntries: (taken: (entries: never[]) => void) => taken([]) }),
    }),
    [kind, name] as const,
  );
  await entry.evaluate((dropped) => {
    DataTransferItem.prototype.webkitGetAsEntry = () => dropped as unknown as FileSystemEntry;
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["text"], dropped.name));
    const main = document.querySelector("main [class*=page]");
    for (const type of ["dragenter", "dragover", "drop"])
      main?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  });
}

test("an empty folder that is refused stays in the list with the reason, and is retried", async () => {
  const person = await ownerIn(shared, "taken.txt");
  const body = JSON.stringify({ error: "Not now.", code: "files_limit" });
  await page.route(/\/files\/folders\?/, (route) =>
    route.fulfill({ status: 403, contentType: "application/json", body }),
  );
  await drop("isDirectory", "Empty");
  await told(uploadsPanel(page), "Not now.", "1 file or folder couldn't be uploaded");
  await page.unrouteAll();
  await press(page, "Retry failed upload");
  await uploaded(page, "1 file or folder uploaded");
  expect(await pathsOf(person)).toEqual(["Empty", "taken.txt"]);
  await row(page, "Empty").waitFor();
  await page.getByLabel("Close the list of uploads").click();

  await drop("isDirectory", "taken.txt");
  await told(uploadsPanel(page), "There is already something named", "1 file or folder couldn't be uploaded");
});

test("what the browser could not read of dropped files is not stored as an empty file", async () => {
  const person = await ownerIn(shared);
  await drop("isFile", "locked.txt");
  await told(uploadsPanel(page), SENTENCE);
  expect(
    await uploadsPanel(page)
      .getByRole("button", { name: /^Retry/ })
      .count(),
  ).toBe(0);
  await press(page, "Remove locked.txt from the list");
  await uploadsPanel(page).waitFor({ state: "detached" });
  expect(await pathsOf(person)).toEqual([]);
});

test("a document that has changed or gone since it was chosen is not imported, and the dialog says why", async () => {
  const person = await ownerIn(shared);
  const dialog = page.getByRole("dialog");
  await fromMenu(page, "More", "Import (JSON)");
  for (const harm of [(path: string) => change(path, Buffer.from("[1]")), (path: string) => rmSync(path)]) {
    const { path } = newFile("document.json", Buffer.from("[]"));
    await page.getByLabel("Document", { exact: true }).setInputFiles(path);
    await dialog.getByText(SENTENCE).waitFor({ state: "hidden" });
    harm(path);
    await press(dialog, "Import");
    await told(page, `${SENTENCE} Your files are unchanged.`);
    await expectFocusOn(page.getByLabel("Document", { exact: true }));
  }
  expect(await pathsOf(person)).toEqual([]);
});

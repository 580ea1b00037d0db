import { randomBytes } from "node:crypto";
import { rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import type { Request } from "playwright";
import { beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import {
  closePanel,
  expectStored,
  fileWriter,
  fromMenu,
  isSecondPart,
  LARGE_UPLOAD,
  offsetsOf,
  ownerIn,
  pathsOf,
  pickFiles,
  refuse,
  row,
  textFile,
  UPLOADS,
  uploaded,
  uploadFiles,
  uploadsPanel,
} from "./files-page";
import { expectGoodLooks, LONG_NAME } from "./good-looks";
import { button, expectFocusOn, gate, holdBack, press, told } from "./on-page";
import { newVisitor } from "./visitor";

const shared = await newVisitor();
const { page, context } = shared;
beforeEach(() => page.unrouteAll());
const newFile = fileWriter();

test("an upload is resumed where a part broke off, and without a response", async () => {
  const person = await ownerIn(shared);
  const name = `${LONG_NAME}.bin`;
  const { path, bytes } = newFile(name);
  const offsets = offsetsOf(page);
  let isBroken = false;
  const { opened: isSeen, open: breakOff } = gate();
  await page.route("**/files/uploads/*", async (route) => {
    if (!isSecondPart(route.request()) || isBroken) return route.continue();
    isBroken = true;
    await isSeen;
    return route.abort();
  });
  await pickFiles(page, path);
  await told(uploadsPanel(page), /^4 MB of 4\.1 MB · [\d.]+ [KM]?B\/s · .+ left$/);
  await expectGoodLooks(page);
  breakOff();
  await uploaded(page);
  expect(offsets).toEqual(["0", "4000000", "4000000"]);
  await expectStored(person, name, bytes);
  await closePanel(page);

  await page.unrouteAll();
  await context.setOffline(true);
  await pickFiles(page, textFile("patient.txt"));
  await told(uploadsPanel(page), "No response, retrying");
  await context.setOffline(false);
  await uploaded(page);
  await row(page, "patient.txt").waitFor();
});

test("small files that are refused together go one by one, and again on demand; no toast is over that", async () => {
  const person = await ownerIn(shared, "Box/");
  const body = JSON.stringify({ error: "Not now.", code: "files_limit" });
  await page.route(UPLOADS, (route) => {
    // Names that cannot be compared are sent.
    if (route.request().method() === "POST") return route.fulfill({ status: 503, body: "" });
    const name = new URL(route.request().url()).searchParams.get("name");
    return name === "a.txt" ? route.continue() : route.fulfill({ status: 403, contentType: "application/json", body });
  });
  await pickFiles(page, [textFile("a.txt"), textFile("b.txt"), textFile("c.txt")]);
  await uploaded(page, "2 files couldn't be uploaded, 1 file uploaded");
  expect(await uploadsPanel(page).getByText("Not now.").count()).toBe(2);
  expect(await pathsOf(person)).toEqual(["Box", "a.txt"]);

  await page.setViewportSize({ width: 375, height: 740 });
  await row(page, "Box").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("status").locator("div", { hasText: "Box deleted." }).hover();
  const retry = button(page, "Retry 2 failed uploads");
  await retry.click({ trial: true });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.unrouteAll();
  await retry.click();
  await uploaded(page, "3 files uploaded");
  expect(await pathsOf(person)).toEqual(["a.txt", "b.txt", "c.txt"]);
});

test("of small files one can be cancelled; whatever response is lost, everything is stored once", async () => {
  const person = await ownerIn(shared, ["twice.bin", "first"]);
  let isHeld = false;
  await page.route("**/files/uploads/together", (route) => {
    if (isHeld || route.request().method() === "POST") return route.continue();
    isHeld = true;
  });
  await pickFiles(page, [textFile("a.txt"), textFile("b.txt"), textFile("c.txt")]);
  await expect.poll(() => isHeld).toBe(true);
  await press(page, "Cancel b.txt");
  await uploaded(page, "2 files uploaded");
  expect(await pathsOf(person)).toEqual(["a.txt", "c.txt", "twice.bin"]);
  await closePanel(page);

  /** Loses the response to the first request to which this applies. */
  const loseResponse = async (isMeant: (request: Request) => boolean, postData?: Buffer) => {
    await page.unrouteAll();
    const lost = { isOver: false };
    await page.route(UPLOADS, async (route) => {
      if (lost.isOver || !isMeant(route.request())) return route.continue();
      lost.isOver = true;
      await route.fetch({ postData });
      return route.abort();
    });
    return lost;
  };
  await loseResponse((request) => request.url().endsWith("/together") && request.method() === "PUT");
  await uploadFiles(page, [textFile("d.txt"), textFile("e.txt")], 2);
  for (const [kept, size, last] of [
    ["twice (2).bin", 100_000, "PUT"],
    ["twice (3).bin", LARGE_UPLOAD, "POST"],
  ] as const) {
    const { path, bytes } = newFile("twice.bin", randomBytes(size));
    const isLast = (request: Request) =>
      request.method() === last &&
      !request.url().includes("offset=") &&
      new URL(request.url()).searchParams.get("existing") !== "refuse";
    // Playwright does not see the body, which is a file.
    const lost = await loseResponse(isLast, last === "PUT" ? bytes : undefined);
    await pickFiles(page, path);
    await press(page, "Keep both");
    await uploaded(page);
    expect(lost.isOver).toBe(true);
    await expectStored(person, kept, bytes);
    await closePanel(page);
  }
  const twice = ["twice (2).bin", "twice (3).bin", "twice.bin"];
  expect(await pathsOf(person)).toEqual(["a.txt", "c.txt", "d.txt", "e.txt", ...twice]);
});

test("an empty folder that is refused stays in the list with the reason, and is retried", async () => {
  const person = await ownerIn(shared);
  await refuse(page, /\/files\/folders\?/);
  await drop("isDirectory", "Empty");
  await told(uploadsPanel(page), "Not now.", "1 file or folder couldn't be uploaded");
  await page.unrouteAll();
  await press(page, "Retry failed upload");
  await uploaded(page, "1 file or folder uploaded");
  expect(await pathsOf(person)).toEqual(["Empty"]);
  await row(page, "Empty").waitFor();
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

describe("what can no longer be read", () => {
  const SENTENCE =
    "This file was changed or removed on this device since you chose it, or can no longer be read. Choose it again.";
  const single = (name: string) => newFile(name, randomBytes(100_000));

  /** Writes a file anew, some minutes later: browsers compare whole seconds. */
  function change(path: string, bytes: Buffer = randomBytes(100_000)): Buffer {
    writeFileSync(path, bytes);
    later(path);
    return bytes;
  }
  const later = (path: string) => utimesSync(path, new Date(), Date.now() / 1_000 + 300);

  test("is named at once while it waits, and the other files arrive", async () => {
    const person = await ownerIn(shared);
    const first = ["1.bin", "2.bin", "3.bin"].map(single);
    const [changed, shrunk, gone] = [single("changed"), single("shrunk"), single(`gone ${LONG_NAME}`)];
    const [large, whole] = [newFile("large"), single("whole")];
    let held = 0;
    const release = await holdBack(page, UPLOADS, (request) => request.method() === "PUT" && ++held > 0);
    const waiting = [changed, shrunk, gone, large, whole];
    await pickFiles(
      page,
      [...first, ...waiting].map(({ path }) => path),
    );
    await expect.poll(() => held).toBe(3);
    const bytes = change(changed.path);
    truncateSync(shrunk.path, 10);
    later(shrunk.path);
    rmSync(gone.path);
    change(large.path);
    release();

    await uploaded(page, "4 files couldn't be uploaded, 4 files uploaded");
    expect(await pathsOf(person)).toEqual(["1.bin", "2.bin", "3.bin", "whole"]);
    const panel = uploadsPanel(page);
    expect(await panel.getByText(SENTENCE, { exact: true }).count()).toBe(4);
    expect(await panel.getByRole("button", { name: /^Retry/ }).count()).toBe(0);
    expect(await db.fileDraft.count({ where: { userId: person.id } })).toBe(0);
    await expectGoodLooks(page);

    const chooser = page.waitForEvent("filechooser");
    await button(panel, "Choose again: changed").press("Enter");
    await (await chooser).setFiles(changed.path);
    await uploaded(page, "3 files couldn't be uploaded, 5 files uploaded");
    await expectStored(person, "changed", bytes);
    await button(panel, "Remove shrunk from the list").press("Enter");
    await uploaded(page, "2 files couldn't be uploaded, 5 files uploaded");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("[data-uploads]") !== null)).toBe(true);
    await closePanel(page);
  });

  test("because it changed between two of its parts, leaves nothing behind", async () => {
    const person = await ownerIn(shared);
    const { path } = newFile("parts.bin");
    let held = 0;
    const release = await holdBack(page, UPLOADS, (request) => request.url().includes("offset=0") && ++held > 0);
    await pickFiles(page, path);
    await expect.poll(() => held).toBe(1);
    change(path, randomBytes(LARGE_UPLOAD));
    release();
    await told(uploadsPanel(page), SENTENCE);
    expect(await db.fileDraft.count({ where: { userId: person.id } })).toBe(0);
  });

  test("of dropped files is not stored as an empty file", async () => {
    const person = await ownerIn(shared);
    await drop("isFile", "locked.txt");
    await told(uploadsPanel(page), SENTENCE);
    await press(page, "Remove locked.txt from the list");
    await uploadsPanel(page).waitFor({ state: "detached" });
    expect(await pathsOf(person)).toEqual([]);
  });

  test("of a document is not imported, and the dialog says why", async () => {
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
});

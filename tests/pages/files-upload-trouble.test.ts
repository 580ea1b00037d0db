import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import type { Page, Request } from "playwright";
import { beforeEach, expect, test } from "vitest";
import { addPart, beginUpload } from "@/lib/files/upload";
import { db } from "@/lib/platform/db/client";
import {
  expectStored,
  fileWriter,
  LARGE_UPLOAD,
  ownerIn,
  pathsOf,
  pickFiles,
  row,
  textFile,
  uploaded,
  uploadFiles,
  uploadsPanel,
} from "./files-page";
import { expectGoodLooks, LONG_NAME } from "./good-looks";
import { expectToFitInto, holdBack, press, told } from "./on-page";
import { newVisitor, openReady, submitAccount } from "./visitor";

const shared = await newVisitor();
const { page, context } = shared;
beforeEach(() => page.unrouteAll());
const newFile = fileWriter();
/** Paths of the requests that upload. */
const UPLOADS = /\/files\/uploads[/?]/;

const offsetOf = (request: Request) => new URL(request.url()).searchParams.get("offset");
const isSecondPart = (request: Request) => offsetOf(request) === "4000000";
async function closePanel(page: Page): Promise<void> {
  await page.getByLabel("Close the list of uploads").click();
  await page.locator("[data-uploads]").waitFor({ state: "detached" });
}

/** The offsets of the parts that this page sends. */
function offsetsOf(page: Page): string[] {
  const offsets: string[] = [];
  page.on("request", (request) => {
    const offset = offsetOf(request);
    if (offset !== null) offsets.push(offset);
  });
  return offsets;
}

test("an upload is resumed where a part broke off, and without a response", async () => {
  const person = await ownerIn(shared);
  const name = `${LONG_NAME}.bin`;
  const { path, bytes } = newFile(name);
  const offsets = offsetsOf(page);
  let isBroken = false;
  let breakOff = () => {};
  const isSeen = new Promise<void>((resolve) => {
    breakOff = resolve;
  });
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
  const names: (string | null)[] = [];
  await page.route(UPLOADS, (route) => {
    // Names that cannot be compared are sent.
    if (route.request().method() === "POST") return route.fulfill({ status: 503, body: "" });
    const name = new URL(route.request().url()).searchParams.get("name");
    names.push(name);
    return name === "a.txt" ? route.continue() : route.fulfill({ status: 403, contentType: "application/json", body });
  });
  await pickFiles(page, [textFile("a.txt"), textFile("b.txt"), textFile("c.txt")]);
  await uploaded(page, "2 files couldn't be uploaded, 1 file uploaded");
  expect(await uploadsPanel(page).getByText("Not now.").count()).toBe(2);
  await expectGoodLooks(page);
  expect(names[0]).toBeNull();
  expect(names.slice(1).toSorted()).toEqual(["a.txt", "b.txt", "c.txt"]);
  expect(await pathsOf(person)).toEqual(["Box", "a.txt"]);

  await page.setViewportSize({ width: 375, height: 740 });
  await row(page, "Box").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const toast = page.getByRole("status").locator("div", { hasText: "Box deleted." });
  await toast.hover();
  const retry = page.getByRole("button", { name: "Retry 2 failed uploads" });
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    // It moves while it appears.
    const isApart = async () => {
      const [one, other] = [await toast.boundingBox(), await uploadsPanel(page).boundingBox()];
      if (!one || !other) return false;
      return one.y + one.height <= other.y || other.y + other.height <= one.y || one.x + one.width <= other.x;
    };
    await expect.poll(isApart).toBe(true);
    await retry.click({ trial: true });
  }
  await page.unrouteAll();
  await retry.click();
  await uploaded(page, "3 files uploaded");
  expect(await pathsOf(person)).toEqual(["a.txt", "b.txt", "c.txt"]);
  await page.setViewportSize({ width: 1280, height: 720 });
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
  expect(await pathsOf(person)).toEqual(["a.txt", "c.txt", "d.txt", "e.txt", "twice.bin"]);

  for (const [kept, size, last] of [
    ["twice (2).bin", 100_000, "PUT"],
    ["twice (3).bin", LARGE_UPLOAD, "POST"],
  ] as const) {
    const { path, bytes } = newFile("twice.bin", randomBytes(size));
    const isLast = (request: Request) =>
      request.method() === last &&
      offsetOf(request) === null &&
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
  expect((await pathsOf(person)).slice(4)).toEqual(["twice (2).bin", "twice (3).bin", "twice.bin"]);
});

test("if the session ends during an upload, the page says so, and the upload continues after signing in", async () => {
  const person = await ownerIn(shared);
  const { path, bytes } = newFile("long way.bin");
  const offsets = offsetsOf(page);
  let isOver = false;
  await page.route("**/files/uploads/*", async (route) => {
    if (isSecondPart(route.request()) && !isOver) {
      isOver = true;
      await db.session.deleteMany({ where: { userId: person.id } });
    }
    return route.continue();
  });
  await pickFiles(page, path);
  await page.getByRole("alert").filter({ hasText: "You're signed out." }).waitFor();
  await expectGoodLooks(page);
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Open sign-in in a new tab" }).click(),
  ]);
  await submitAccount(tab, "Sign in", person.username);
  await tab.getByLabel(`Account menu of ${person.username}`).waitFor();
  await press(page, "Continue");
  await uploaded(page);
  expect(offsets).toEqual(["0", "4000000", "4000000"]);
  await expectStored(person, "long way.bin", bytes);
});

test("an upload that ended with its page is named there, and goes on with the same folder", async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  const person = await ownerIn(visitor);
  const paths = ["a.txt", "b.txt", "big.bin"].map((name) => newFile(`Photos/${name}`, randomBytes(70_000)).path);
  const folder = dirname(paths[0] ?? "");
  page.on("dialog", (dialog) => dialog.accept());
  const release = await holdBack(page, ({ searchParams }) => searchParams.get("name") === "big.bin");
  await page.getByLabel("Folder to upload").setInputFiles(folder);
  await expect.poll(async () => (await pathsOf(person)).length).toBe(3);
  await page.reload();
  release();
  await page.unrouteAll();
  const notice = page.getByRole("region", { name: "The upload of Photos was interrupted" });
  await told(notice, "2 of 3 files arrived.", /Upload the same folder again: files that haven't changed are skipped\./);
  await expectGoodLooks(page);
  // So long that what is left is kept for a window that ends without a word.
  const goOn = await holdBack(page, ({ searchParams }) => searchParams.get("name") === "big.bin");
  await notice.getByLabel("Files to upload again").setInputFiles(folder);
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toContain("latchkey-unsent");
  goOn();
  await uploaded(page, "1 file uploaded, 2 unchanged files skipped");
  await notice.waitFor({ state: "hidden" });
  expect(await pathsOf(person)).toEqual(["Photos", "Photos/a.txt", "Photos/b.txt", "Photos/big.bin"]);
  // What another window has kept meanwhile stays.
  await page.evaluate(() => localStorage.setItem("latchkey-unsent", "{}"));
  await openReady(page, "/files");
  expect(await notice.count()).toBe(0);
  expect(await page.evaluate(() => localStorage.getItem("latchkey-unsent"))).toBe("{}");
  visitor.expectCalm();
});

test("what a closed window interrupted is named, is discarded, and goes on with the same file alone", async () => {
  const person = await ownerIn(shared);
  const name = "a film with a rather long name.bin";
  const [film, long] = [newFile("film.bin"), newFile(name)];
  const other = { name: "other.bin", totalBytes: 100, isText: false, onExisting: "refuse" } as const;
  const { uploadId } = await beginUpload(person, undefined, { ...other, modified: Date.now() });
  await addPart(person, uploadId, { offset: 0, bytes: Buffer.alloc(50) });
  const interrupted = new Set<string>();
  await page.route(UPLOADS, (route) => (isSecondPart(route.request()) ? route.abort() : route.continue()));
  page.on("requestfailed", (request) => {
    if (isSecondPart(request)) interrupted.add(new URL(request.url()).pathname);
  });
  await pickFiles(page, [film.path, long.path]);
  await expect.poll(() => interrupted.size).toBe(2);
  await page.close();

  // As if nothing had been sent for some minutes.
  const refreshedAt = new Date(Date.now() - 300_000);
  await db.fileDraft.updateMany({ where: { userId: person.id }, data: { refreshedAt } });
  const again = await context.newPage();
  const offsets = offsetsOf(again);
  await openReady(again, "/files");
  await again.getByRole("region", { name: "3 unfinished uploads" }).waitFor();
  await pickFiles(again, film.path);
  await uploaded(again);
  await closePanel(again);
  await press(again, "Discard the upload of other.bin", "The unfinished upload of other.bin has been discarded.");
  const list = again.getByRole("region", { name: "1 unfinished upload" });
  await told(list, "4 MB of 4.1 MB uploaded, for All files, kept until");
  expect(await db.filePiece.count({ where: { userId: person.id, draftId: uploadId } })).toBe(0);
  await again.getByLabel("Files to continue uploading").setInputFiles(textFile(name));
  await told(list, /^No unfinished upload matches a film with a rather long name\.bin\./);
  await expectGoodLooks(again);
  await again.setViewportSize({ width: 320, height: 640 });
  await expectToFitInto(again, 320);
  await again.getByLabel("Files to continue uploading").setInputFiles(long.path);
  await uploaded(again);
  await list.waitFor({ state: "hidden" });
  expect(offsets).toEqual(["4000000", "4000000"]);
  await expectStored(person, "film.bin", film.bytes);
  await expectStored(person, name, long.bytes);
});

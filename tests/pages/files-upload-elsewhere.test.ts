import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { addPart, beginUpload } from "@/lib/files/upload";
import { db } from "@/lib/platform/db/client";
import {
  closePanel,
  expectStored,
  fileWriter,
  isSecondPart,
  offsetsOf,
  ownerIn,
  pathsOf,
  pickFiles,
  row,
  selectionBar,
  textFile,
  textsOf,
  UPLOADS,
  uploaded,
  uploadsPanel,
} from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { heading, holdBack, press, submit, told, windowOf } from "./on-page";
import { type Member, newVisitor, openReady, submitAccount } from "./visitor";

const shared = await newVisitor();
const { page, context } = shared;
const newFile = fileWriter();
let person: Member;
beforeEach(async () => {
  await page.unrouteAll();
  person = await ownerIn(shared, "a.txt");
});

const head = () => page.getByRole("navigation", { name: "Main" });
const toast = (text: string) => page.getByRole("status").getByText(text, { exact: true });
const isUploading = () => uploadsPanel(page).getByText("Uploading 0 of 1 file", { exact: true }).waitFor();
const goToLink = async () => {
  await head().getByRole("link", { name: "Link a program" }).click();
  await heading(page, "Link a program");
};

/** A mark on this document, which a new one would not have. */
const markDocument = () => page.evaluate(() => Object.assign(window, { isMarked: true }));
const isSameDocument = () => page.evaluate(() => Reflect.get(window, "isMarked") === true);

/** Begins to upload a large file that stops after its first part, until the returned function is called. */
async function uploadHeld(path: string): Promise<() => void> {
  const release = await holdBack(page, UPLOADS, isSecondPart);
  await pickFiles(page, path);
  await told(uploadsPanel(page), /^4 MB of 4\.1 MB/);
  await markDocument();
  return release;
}

test("an upload goes on while other pages are visited, and ends there with a toast", async () => {
  const { path, bytes } = newFile("film.bin");
  const release = await uploadHeld(path);
  await head().getByRole("link", { name: "Keys" }).click();
  await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
  expect(await head().locator("[aria-current=page]").textContent()).toBe("Keys");
  await isUploading();
  await uploadsPanel(page).getByRole("progressbar", { name: "All uploads" }).waitFor();

  // A page that a script goes to.
  await press(page, "Create your first key");
  await submit(page, { Name: "door", Secret: "secret" }, "Create key");
  await heading(page, "door");

  await page.getByLabel(`Account menu of ${person.username}`).click();
  await page.getByRole("banner").getByRole("link", { name: "Account", exact: true }).click();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
  expect(await isSameDocument()).toBe(true);
  release();
  await toast("1 file uploaded.").waitFor();
  await uploadsPanel(page).waitFor({ state: "hidden" });
  await expectStored(person, "film.bin", bytes);

  // Nothing runs any more, so the next link loads a document again.
  await head().getByRole("link", { name: "Files" }).click();
  await row(page, "film.bin").waitFor();
  expect(await isSameDocument()).toBe(false);
  person.expectCalm();
});

test("elsewhere, a taken name waits to be decided, what failed to be retried; Back shows a fresh list", async () => {
  let areRefused = true;
  await page.route(UPLOADS, (route) => {
    const isTaken = new URL(route.request().url()).searchParams.get("name") === "a.txt";
    if (isTaken || !areRefused) return route.continue();
    const body = JSON.stringify({ error: "Not now.", code: "files_limit" });
    return route.fulfill({ status: 403, contentType: "application/json", body });
  });
  const release = await holdBack(page, ({ pathname }) => pathname.startsWith("/files/uploads"));
  await pickFiles(page, [textFile("a.txt", "second"), textFile("b.txt")]);
  await uploadsPanel(page).waitFor();
  await markDocument();
  await goToLink();
  release();
  await told(uploadsPanel(page), "A name is already taken. The other files keep uploading.");
  const question = page.getByRole("dialog", { name: "This name is taken" });
  expect(await question.count()).toBe(0);
  await press(uploadsPanel(page), "Decide");
  await press(question, "Replace");
  await told(uploadsPanel(page), "1 file couldn't be uploaded", "Not now.");
  areRefused = false;
  await press(page, "Retry failed upload");
  await toast("2 files uploaded.").waitFor();
  expect(await textsOf(person)).toEqual({ "a.txt": "second", "b.txt": "text of b.txt" });
  await page.goBack();
  await row(page, "b.txt").waitFor();
  expect(await isSameDocument()).toBe(true);
});

test("closing the window and signing out ask first, a download does not; the panel looks good elsewhere", async () => {
  const { path } = newFile("a film with a name that is much longer than there is room for in the panel.bin");
  await uploadHeld(path);
  await row(page, "a.txt").click();
  const downloading = page.waitForEvent("download");
  await selectionBar(page).getByRole("link", { name: "Download" }).click();
  expect((await downloading).suggestedFilename()).toBe("a.txt");
  await goToLink();
  expect(await isSameDocument()).toBe(true);
  await press(uploadsPanel(page), "Show the files");
  await expectGoodLooks(page);
  const [dialog] = await Promise.all([page.waitForEvent("dialog"), page.close({ runBeforeUnload: true })]);
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await isUploading();

  const question = page.getByRole("dialog", { name: "Sign out during an upload?" });
  const signOut = async () => {
    await page.getByLabel(`Account menu of ${person.username}`).click();
    await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
    await question.waitFor();
  };
  await signOut();
  await expectGoodLooks(page);
  await press(question, "Cancel");
  await isUploading();
  await signOut();
  await press(question, "Sign out");
  await head().getByRole("link", { name: "Sign in" }).waitFor();
  expect(await isSameDocument()).toBe(false);
  expect(await pathsOf(person)).toEqual(["a.txt"]);
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
  const tab = await windowOf(page, () => page.getByRole("link", { name: "Open sign-in in a new tab" }).click());
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
  await again.getByLabel("Files to continue uploading").setInputFiles(long.path);
  await uploaded(again);
  await list.waitFor({ state: "hidden" });
  expect(offsets).toEqual(["4000000", "4000000"]);
  await expectStored(person, "film.bin", film.bytes);
  await expectStored(person, name, long.bytes);
});

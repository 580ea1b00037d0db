import { beforeEach, expect, test } from "vitest";
import {
  expectStored,
  fileWriter,
  ownerIn,
  pathsOf,
  pickFiles,
  row,
  selectionBar,
  textFile,
  uploadsPanel,
} from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { button, expectToFitInto, heading, holdBack, press, submit, told } from "./on-page";
import { type Member, newVisitor } from "./visitor";

const newFile = fileWriter();

const shared = await newVisitor();
const { page } = shared;
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
  const release = await holdBack(page, ({ searchParams }) => searchParams.get("offset") === "4000000");
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

  await head().getByRole("link", { name: "Docs" }).click();
  await page.locator('main a[href="/docs/guides/backup"]').filter({ visible: true }).first().click();
  await page.waitForURL("**/docs/guides/backup");
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
  await page.route(/\/files\/uploads[/?]/, (route) => {
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
  await press(question, "Keep both");
  await told(uploadsPanel(page), "1 file couldn't be uploaded", "Not now.");
  areRefused = false;
  await press(page, "Retry failed upload");
  await toast("2 files uploaded.").waitFor();
  expect(await pathsOf(person)).toEqual(["a (2).txt", "a.txt", "b.txt"]);
  await page.goBack();
  await row(page, "b.txt").waitFor();
  expect(await isSameDocument()).toBe(true);
});

test("elsewhere, a file can still be replaced", async () => {
  const release = await holdBack(page, ({ pathname }) => pathname.startsWith("/files/uploads"));
  await pickFiles(page, [textFile("a.txt", "second")]);
  await uploadsPanel(page).waitFor();
  await goToLink();
  release();
  await press(uploadsPanel(page), "Decide");
  await press(page.getByRole("dialog", { name: "This name is taken" }), "Replace");
  await toast("1 file uploaded.").waitFor();
  await expectStored(person, "a.txt", Buffer.from("second"));
});

test("elsewhere, what only the page of the files can take back is no longer offered", async () => {
  person = await ownerIn(shared, "a.txt", "c.txt");
  const release = await holdBack(page, ({ pathname }) => pathname.startsWith("/files/uploads"));
  await pickFiles(page, [textFile("b.txt")]);
  await uploadsPanel(page).waitFor();
  await row(page, "c.txt").click();
  await press(selectionBar(page), "Delete");
  await button(page, "Undo").waitFor();
  await goToLink();
  expect(await button(page, "Undo").count()).toBe(0);
  release();
  await toast("1 file uploaded.").waitFor();
  expect(await pathsOf(person)).toEqual(["a.txt", "b.txt"]);
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
  await page.setViewportSize({ width: 320, height: 640 });
  await expectToFitInto(page, 320);
  await page.setViewportSize({ width: 1280, height: 720 });
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

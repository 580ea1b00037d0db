import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect, test } from "vitest";
import {
  bytesOf,
  LARGE_UPLOAD,
  newOwner,
  pathsOf,
  row,
  scratchFolder,
  storedFiles,
  textFile,
  uploadFiles,
  uploadsPanel,
} from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import type { Person } from "./person";

const scratch = scratchFolder();

let person: Person;
let page: Page;
openForEach(newOwner, (owner) => {
  person = owner;
  page = owner.page;
});

const head = () => page.getByRole("navigation", { name: "Main" });
const toast = (text: string) => page.getByRole("status").getByText(text, { exact: true });

/** A mark on this document, which a new one would not have. */
const markDocument = () => page.evaluate(() => Object.assign(window, { isMarked: true }));
const isSameDocument = () => page.evaluate(() => Reflect.get(window, "isMarked") === true);

/** Begins to upload a large file that stops after its first part, until the returned function is called. */
async function uploadHeld(name: string, bytes = randomBytes(LARGE_UPLOAD)): Promise<() => void> {
  let send = () => {};
  const isReleased = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route("**/files/uploads/*", async (route) => {
    if (new URL(route.request().url()).searchParams.get("offset") === "4000000") await isReleased;
    return route.continue();
  });
  writeFileSync(join(scratch, name), bytes);
  await page.getByLabel("Files to upload").setInputFiles(join(scratch, name));
  await uploadsPanel(page)
    .getByText(/^4 MB of 9 MB/)
    .first()
    .waitFor();
  await markDocument();
  return send;
}

test("an upload goes on while other pages are visited, and ends there with a toast", async () => {
  const bytes = randomBytes(LARGE_UPLOAD);
  const send = await uploadHeld("film.bin", bytes);

  await head().getByRole("link", { name: "Keys" }).click();
  await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
  expect(await head().locator("[aria-current=page]").textContent()).toBe("Keys");
  await uploadsPanel(page).getByText("Uploading 0 of 1 file", { exact: true }).waitFor();
  await uploadsPanel(page).getByRole("progressbar", { name: "All uploads" }).waitFor();

  // A page that a script goes to.
  await page
    .getByRole("button", { name: /^Create (?:a )?(?:your first )?key$/ })
    .first()
    .click();
  await page.getByLabel("Name", { exact: true }).fill("door");
  await page.getByLabel("Data", { exact: true }).fill("secret");
  await page.getByRole("button", { name: "Create key", exact: true }).last().click();
  await page.getByRole("heading", { name: "door" }).waitFor();

  await head().getByRole("link", { name: "Docs" }).click();
  await page.locator('main a[href="/docs/guides/backup"]').filter({ visible: true }).first().click();
  await page.waitForURL("**/docs/guides/backup");
  await page.getByLabel(`Account menu of ${person.username}`).click();
  await page.getByRole("banner").getByRole("link", { name: "Account", exact: true }).click();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
  expect(await isSameDocument()).toBe(true);
  send();
  await toast("1 file uploaded.").waitFor();
  await uploadsPanel(page).waitFor({ state: "hidden" });
  expect(bytesOf((await storedFiles(person)).get("film.bin"))?.equals(bytes)).toBe(true);

  // Nothing runs any more, so the next link loads a document again.
  await head().getByRole("link", { name: "Files" }).click();
  await row(page, "film.bin").waitFor();
  expect(await isSameDocument()).toBe(false);
  person.expectCalm();
});

test("the list is fresh for one who goes back to it", async () => {
  const send = await uploadHeld("film.bin");
  await head().getByRole("link", { name: "Keys" }).click();
  await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
  send();
  await toast("1 file uploaded.").waitFor();
  await page.goBack();
  await row(page, "film.bin").waitFor();
  expect(await isSameDocument()).toBe(true);
});

test("elsewhere, a taken name waits for the person to decide, and disturbs nothing", async () => {
  await uploadFiles(page, textFile("a.txt", "first"));
  let answer = () => {};
  const isVisited = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/files/uploads/together", async (route) => {
    await isVisited;
    return route.continue();
  });
  await page.getByLabel("Files to upload").setInputFiles(textFile("a.txt", "second"));
  await uploadsPanel(page).waitFor();
  await head().getByRole("link", { name: "Link a program" }).click();
  await page.getByRole("heading", { name: "Link a program" }).waitFor();
  answer();
  await uploadsPanel(page).getByText("A name is taken. The other files go on meanwhile.").waitFor();
  const question = page.getByRole("dialog", { name: "This name is taken" });
  expect(await question.count()).toBe(0);
  await expectGoodLooks(page);
  await uploadsPanel(page).getByRole("button", { name: "Decide" }).click();
  await question.getByRole("button", { name: "Keep both" }).click();
  await toast("1 file uploaded.").waitFor();
  expect(await pathsOf(person)).toEqual(["a (2).txt", "a.txt"]);
});

test("what fails elsewhere stays to be retried", async () => {
  const body = JSON.stringify({ error: "Not now.", code: "files_limit" });
  let refuse = () => {};
  const isVisited = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  await page.route(/\/files\/uploads[/?]/, async (route) => {
    await isVisited;
    return route.fulfill({ status: 403, contentType: "application/json", body });
  });
  await page.getByLabel("Files to upload").setInputFiles(textFile("a.txt"));
  await uploadsPanel(page).waitFor();
  await head().getByRole("link", { name: "Keys" }).click();
  await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
  refuse();
  await uploadsPanel(page).getByText("1 file couldn't be uploaded").waitFor();
  await uploadsPanel(page).getByText("Not now.").waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Retry failed upload" }).click();
  await toast("1 file uploaded.").waitFor();
  expect(await pathsOf(person)).toEqual(["a.txt"]);
});

test("signing out during an upload asks first, and then ends it", async () => {
  await uploadHeld("film.bin");
  await head().getByRole("link", { name: "Keys" }).click();
  await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
  const menu = page.getByLabel(`Account menu of ${person.username}`);
  const question = page.getByRole("dialog", { name: "Sign out during an upload?" });
  await menu.click();
  await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
  await expectGoodLooks(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  await uploadsPanel(page).getByText("Uploading 0 of 1 file", { exact: true }).waitFor();
  await menu.click();
  await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
  await question.getByRole("button", { name: "Sign out" }).click();
  await head().getByRole("link", { name: "Sign in" }).waitFor();
  expect(await isSameDocument()).toBe(false);
  expect(await pathsOf(person)).toEqual([]);
});

test("a download during an upload asks nothing", async () => {
  await uploadFiles(page, textFile("a.txt"));
  await uploadHeld("film.bin");
  await row(page, "a.txt").click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("toolbar").getByRole("link", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("a.txt");
  expect(await isSameDocument()).toBe(true);
});

test("closing the window on another page asks first", async () => {
  await uploadHeld("film.bin");
  await head().getByRole("link", { name: "Keys" }).click();
  await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
  const [dialog] = await Promise.all([page.waitForEvent("dialog"), page.close({ runBeforeUnload: true })]);
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await uploadsPanel(page).getByText("Uploading 0 of 1 file", { exact: true }).waitFor();
});

test("the panel looks good on another page, folded and unfolded", async () => {
  await uploadHeld("a film with a name that is much longer than there is room for in the panel.bin");
  await head().getByRole("link", { name: "Link a program" }).click();
  await page.getByRole("heading", { name: "Link a program" }).waitFor();
  await expectGoodLooks(page);
  await uploadsPanel(page).getByRole("button", { name: "Show the files" }).click();
  await expectGoodLooks(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await uploadsPanel(page).getByRole("link", { name: "Go to the files" }).click();
  await page.getByText("No files yet").waitFor();
  await uploadsPanel(page).getByRole("button", { name: "Cancel all" }).click();
  await uploadsPanel(page).getByText("Nothing was uploaded").waitFor();
});

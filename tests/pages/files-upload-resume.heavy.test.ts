import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { bytesOf, LARGE_UPLOAD, newOwner, scratchFolder, storedFiles, textFile } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import type { Person } from "./person";

const scratch = scratchFolder();

let person: Person;
openForEach(newOwner, (owner) => {
  person = owner;
});

/** Uploads the first part of a file, closes the window, and opens another. Returns it, and the offsets it sends. */
async function interrupted(name: string, bytes: Buffer): Promise<{ page: Page; offsets: string[] }> {
  const path = join(scratch, name);
  writeFileSync(path, bytes);
  const isSecond = (url: URL) => url.searchParams.get("offset") === "4000000";
  await person.page.route(isSecond, (route) => route.abort());
  const failed = person.page.waitForEvent("requestfailed", (request) => isSecond(new URL(request.url())));
  await person.page.getByLabel("Files to upload").setInputFiles(path);
  await failed;
  await person.page.close();
  const page = await person.context.newPage();
  const offsets: string[] = [];
  page.on("request", (request) => {
    const offset = new URL(request.url()).searchParams.get("offset");
    if (offset !== null) offsets.push(offset);
  });
  return { page, offsets };
}

/** As if nothing had been sent for some minutes. */
const letTimePass = () =>
  db.fileDraft.updateMany({ where: { userId: person.id }, data: { refreshedAt: new Date(Date.now() - 300_000) } });

async function expectStored(name: string, bytes: Buffer): Promise<void> {
  expect(bytesOf((await storedFiles(person)).get(name))?.equals(bytes)).toBe(true);
}

test("after the window was closed, the same file goes on where it stopped", async () => {
  const bytes = randomBytes(LARGE_UPLOAD);
  const { page, offsets } = await interrupted("film.bin", bytes);
  await page.goto("/files");
  await page.locator("input[webkitdirectory]").waitFor({ state: "attached" });
  await page.getByLabel("Files to upload").setInputFiles(join(scratch, "film.bin"));
  await page.getByText("1 file uploaded", { exact: true }).waitFor();
  expect(offsets).toEqual(["4000000", "8000000"]);
  await expectStored("film.bin", bytes);
});

test("the page names what was interrupted, and continues it with that file alone", async () => {
  const bytes = randomBytes(LARGE_UPLOAD);
  const { page, offsets } = await interrupted("a film with a rather long name.bin", bytes);
  await letTimePass();
  await page.goto("/files");
  const list = page.getByRole("region", { name: "1 unfinished upload" });
  await list.getByText("4 MB of 9 MB uploaded, for All files, kept until").waitFor();
  await page.locator("input[webkitdirectory]").waitFor({ state: "attached" });
  await page.getByLabel("Files to continue with").setInputFiles(textFile("a film with a rather long name.bin"));
  await list.getByText(/^No unfinished upload matches a film with a rather long name\.bin\./).waitFor();
  await expectGoodLooks(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.getByLabel("Files to continue with").setInputFiles(join(scratch, "a film with a rather long name.bin"));
  await page.getByText("1 file uploaded", { exact: true }).waitFor();
  await list.waitFor({ state: "hidden" });
  expect(offsets).toEqual(["4000000", "8000000"]);
  await expectStored("a film with a rather long name.bin", bytes);
});

test("what was interrupted can be discarded", async () => {
  const { page } = await interrupted("film.bin", randomBytes(LARGE_UPLOAD));
  await letTimePass();
  await page.goto("/files");
  await page.locator("input[webkitdirectory]").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Discard the upload of film.bin" }).click();
  await page.getByText("The unfinished upload of film.bin has been discarded.").waitFor();
  await page.getByRole("region", { name: "1 unfinished upload" }).waitFor({ state: "hidden" });
  expect(await db.filePiece.count({ where: { userId: person.id, draftId: { not: null } } })).toBe(0);
});

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import {
  bytesOf,
  LARGE_UPLOAD,
  newOwner,
  row,
  scratchFolder,
  storedFiles,
  textFile,
  uploadFiles,
  uploadsPanel,
} from "./files-page";
import { openForEach } from "./open-for-each";
import type { Person } from "./person";
import { submitAccount } from "./visitor";

const scratch = scratchFolder();

let person: Person;
let page: Page;
openForEach(newOwner, (owner) => {
  person = owner;
  page = owner.page;
});

test("an interrupted upload is resumed where it stopped, and a cancelled one leaves nothing", async () => {
  const bytes = randomBytes(LARGE_UPLOAD);
  writeFileSync(join(scratch, "half.bin"), bytes);
  const offsets: string[] = [];
  let isCut = true;
  await page.route("**/files/uploads/*", async (route) => {
    const offset = new URL(route.request().url()).searchParams.get("offset");
    if (offset !== null) offsets.push(offset);
    if (offset !== null && offset !== "0" && isCut) {
      isCut = false;
      return route.abort();
    }
    return route.continue();
  });
  await uploadFiles(page, join(scratch, "half.bin"));
  expect(offsets).toEqual(["0", "4000000", "4000000", "8000000"]);
  expect(bytesOf((await storedFiles(person)).get("half.bin"))?.equals(bytes)).toBe(true);

  await page.unrouteAll();
  await page.route("**/files/uploads/*", (route) =>
    route.request().method() === "PUT" ? undefined : route.continue(),
  );
  writeFileSync(join(scratch, "never.bin"), bytes);
  await page.getByLabel("Files to upload").setInputFiles(join(scratch, "never.bin"));
  const begun = () => db.fileDraft.count({ where: { userId: person.id, refreshedAt: { not: null } } });
  await expect.poll(begun).toBe(1);
  await page.getByRole("button", { name: "Cancel never.bin" }).click();
  await expect.poll(begun).toBe(0);
  expect((await storedFiles(person)).has("never.bin")).toBe(false);
});

test("the panel shows how fast files are sent, and how much time is left", async () => {
  let send = () => {};
  const isSeen = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route("**/files/uploads/*", async (route) => {
    if (new URL(route.request().url()).searchParams.get("offset") === "8000000") await isSeen;
    return route.continue();
  });
  writeFileSync(join(scratch, "slow.bin"), randomBytes(LARGE_UPLOAD));
  await page.getByLabel("Files to upload").setInputFiles(join(scratch, "slow.bin"));
  await uploadsPanel(page)
    .getByText(/^[\d.]+ MB of 9 MB · [\d.]+ [KM]?B\/s · .+ left$/)
    .waitFor();
  send();
  await page.getByText("1 file uploaded", { exact: true }).waitFor();
});

test("what failed is sent again on demand", async () => {
  const body = JSON.stringify({ error: "Not now.", code: "files_limit" });
  await page.route(/\/files\/uploads[/?]/, (route) =>
    route.fulfill({ status: 403, contentType: "application/json", body }),
  );
  await page.getByLabel("Files to upload").setInputFiles([textFile("a.txt"), textFile("b.txt")]);
  await page.getByText("2 files couldn't be uploaded").waitFor();
  expect(await uploadsPanel(page).getByText("Not now.").count()).toBe(2);
  await page.unrouteAll();
  await page.getByRole("button", { name: "Retry 2 failed uploads" }).click();
  await page.getByText("2 files uploaded", { exact: true }).waitFor();
  expect([...(await storedFiles(person)).keys()].toSorted()).toEqual(["", "a.txt", "b.txt"]);
});

test("small files whose response was lost are sent again, and stored once", async () => {
  let isLost = false;
  await page.route("**/files/uploads/together", async (route) => {
    if (isLost) return route.continue();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
  await uploadFiles(page, [textFile("a.txt"), textFile("b.txt")], 2);
  expect([...(await storedFiles(person)).keys()].toSorted()).toEqual(["", "a.txt", "b.txt"]);
});

test.each([
  ["sent whole", 100_000, "PUT"],
  ["sent in parts", LARGE_UPLOAD, "POST"],
])("both are kept once, if the response is lost for a file %s", { timeout: 120_000 }, async (_, size, last) => {
  writeFileSync(join(scratch, "twice.bin"), randomBytes(size));
  await uploadFiles(page, join(scratch, "twice.bin"));
  const bytes = randomBytes(size);
  writeFileSync(join(scratch, "twice.bin"), bytes);
  let isLost = false;
  await page.route(/\/files\/uploads[/?]/, async (route) => {
    const { method, url } = { method: route.request().method(), url: new URL(route.request().url()) };
    const isLast = method === last && !url.searchParams.has("offset") && url.searchParams.get("existing") !== "refuse";
    if (!isLast || isLost) return route.continue();
    isLost = true;
    // Playwright does not see the body, which is a file.
    await route.fetch(method === "PUT" ? { postData: bytes } : {});
    return route.abort();
  });
  await page.getByLabel("Files to upload").setInputFiles(join(scratch, "twice.bin"));
  await page.getByRole("button", { name: "Keep both" }).click();
  await page.getByText("1 file uploaded", { exact: true }).waitFor();
  expect(isLost).toBe(true);
  const stored = await storedFiles(person);
  expect([...stored.keys()].toSorted()).toEqual(["", "twice (2).bin", "twice.bin"]);
  expect(bytesOf(stored.get("twice (2).bin"))?.equals(bytes)).toBe(true);
});

test("one of the small files in a request can be cancelled, and the others arrive", async () => {
  let isHeld = false;
  await page.route("**/files/uploads/together", (route) => {
    if (isHeld) return route.continue();
    isHeld = true;
  });
  await page.getByLabel("Files to upload").setInputFiles(["a.txt", "b.txt", "c.txt"].map((name) => textFile(name)));
  await expect.poll(() => isHeld).toBe(true);
  await page.getByRole("button", { name: "Cancel b.txt" }).click();
  await page.getByText("2 files uploaded", { exact: true }).waitFor();
  expect([...(await storedFiles(person)).keys()].toSorted()).toEqual(["", "a.txt", "c.txt"]);
});

test("small files that are refused together are sent one by one", async () => {
  const body = JSON.stringify({ error: "No room.", code: "files_limit" });
  const names: (string | null)[] = [];
  await page.route(/\/files\/uploads[/?]/, (route) => {
    const name = new URL(route.request().url()).searchParams.get("name");
    names.push(name);
    return name === "a.txt" ? route.continue() : route.fulfill({ status: 403, contentType: "application/json", body });
  });
  await page.getByLabel("Files to upload").setInputFiles([textFile("a.txt"), textFile("b.txt")]);
  await page.getByText("1 file couldn't be uploaded, 1 file uploaded", { exact: true }).waitFor();
  expect(names.toSorted()).toEqual(["a.txt", "b.txt", null].toSorted());
  expect([...(await storedFiles(person)).keys()].toSorted()).toEqual(["", "a.txt"]);
});

test("an upload without a response says so, and continues by itself", async () => {
  const { context } = person;
  await context.setOffline(true);
  await page.getByLabel("Files to upload").setInputFiles(textFile("patient.txt"));
  await uploadsPanel(page).getByText("No response, retrying").waitFor();
  await context.setOffline(false);
  await page.getByText("1 file uploaded", { exact: true }).waitFor();
  await row(page, "patient.txt").waitFor();
});

test("if the session ends during an upload, the page says so, and the upload continues after signing in", async () => {
  const bytes = randomBytes(LARGE_UPLOAD);
  writeFileSync(join(scratch, "long way.bin"), bytes);
  const offsets: string[] = [];
  await page.route("**/files/uploads/*", async (route) => {
    const offset = new URL(route.request().url()).searchParams.get("offset");
    if (offset === "4000000" && offsets.length === 1) await db.session.deleteMany({ where: { userId: person.id } });
    if (offset !== null) offsets.push(offset);
    return route.continue();
  });
  await page.getByLabel("Files to upload").setInputFiles(join(scratch, "long way.bin"));
  await page.getByRole("alert").filter({ hasText: "You're signed out." }).waitFor();
  const [tab] = await Promise.all([
    person.context.waitForEvent("page"),
    page.getByRole("link", { name: "Open sign-in in a new tab" }).click(),
  ]);
  await submitAccount(tab, "Sign in", person.username);
  await tab.getByLabel(`Account menu of ${person.username}`).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("1 file uploaded", { exact: true }).waitFor();
  expect(offsets).toEqual(["0", "4000000", "4000000", "8000000"]);
  expect(bytesOf((await storedFiles(person)).get("long way.bin"))?.equals(bytes)).toBe(true);
});

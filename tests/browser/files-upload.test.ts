import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { origin } from "../support/http";
import { bytesOf, enterFolder, makeFolder, newOwner, row, storedFiles, textFile, uploadFiles } from "./files-page";
import { launchBrowser, type Person } from "./person";
import { submitAccount } from "./visitor";

const LARGE = 9_000_000;

let browser: Browser;
let scratch: string;
beforeAll(async () => {
  browser = await launchBrowser();
  scratch = mkdtempSync(join(tmpdir(), "latchkey-upload-"));
});
afterAll(async () => {
  await browser?.close();
  rmSync(scratch, { recursive: true, force: true });
});

const uploads = (page: Page) => page.getByRole("region", { name: "Uploads" });

/** The SHA-256 of what the one data: URL in the owner's document holds, without ever making a string of it. */
async function hashOfOnlyUrl({ token }: Person): Promise<string> {
  const document = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    request(`${origin}/read-files?auth=${token}`, (answer) => {
      answer.on("data", (chunk) => chunks.push(chunk)).on("end", () => resolve(Buffer.concat(chunks)));
      answer.on("error", reject);
    }).end();
  });
  const from = document.indexOf(";base64,") + 8;
  const to = document.indexOf('"', from);
  const hash = createHash("sha256");
  const step = 4_000_000;
  for (let at = from; at < to; at += step) hash.update(Buffer.from(document.toString("latin1", at, Math.min(to, at + step)), "base64"));
  return hash.digest("hex");
}

test("a folder of 100 files, with those in it, arrives byte for byte", { timeout: 300_000 }, async () => {
  const person = await newOwner(browser);
  const sent = new Map<string, Buffer>();
  for (let n = 0; n < 100; n++) {
    const path = `Réisen/${["", "2025/", "2025/Größen & <b>/"][n % 3]}file ${n}.${n % 2 ? "txt" : "bin"}`;
    sent.set(path, n % 2 ? Buffer.from(`line ${n}\r\n"ä\\" 🔑 \u2028 ${"x".repeat(n * 50)}`) : randomBytes(n * 40));
  }
  for (const [path, bytes] of sent) {
    mkdirSync(join(scratch, path, ".."), { recursive: true });
    writeFileSync(join(scratch, path), bytes);
  }
  await person.page.getByLabel("Folder to upload").setInputFiles(join(scratch, "Réisen"));
  await person.page.getByText("100 files uploaded", { exact: true }).waitFor({ timeout: 240_000 });
  const stored = await storedFiles(person);
  expect([...stored.keys()].toSorted()).toEqual(["", "Réisen", "Réisen/2025", "Réisen/2025/Größen & <b>", ...sent.keys()].toSorted());
  for (const [path, bytes] of sent) expect(bytesOf(stored.get(path))?.equals(bytes), path).toBe(true);
  await enterFolder(person.page, "Réisen");
  await row(person.page, "2025").waitFor();
  await row(person.page, "file 99.txt").waitFor();
  expect(await row(person.page, "file 98.bin").count()).toBe(0);
  person.expectCalm();
});

test("a file of 200 MB arrives in parts, and shows how far it is", { timeout: 300_000 }, async () => {
  const person = await newOwner(browser);
  const hash = createHash("sha256");
  const file = createWriteStream(join(scratch, "film.mp4"));
  for (let n = 0; n < 50; n++) {
    const bytes = randomBytes(4_000_000);
    hash.update(bytes);
    if (!file.write(bytes)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
  await person.page.getByLabel("Files to upload").setInputFiles(join(scratch, "film.mp4"));
  const bar = uploads(person.page).getByRole("progressbar", { name: "film.mp4" });
  const handle = await bar.elementHandle();
  await person.page.waitForFunction((element) => Number(element?.getAttribute("aria-valuenow")) > 20, handle, { timeout: 120_000 });
  await person.page.getByText("1 file uploaded", { exact: true }).waitFor({ timeout: 240_000 });
  expect(await hashOfOnlyUrl(person)).toBe(hash.digest("hex"));
  await row(person.page, "film.mp4").getByText("200 MB").filter({ visible: true }).waitFor();
});

test("a large text stays text, and one that is not UTF-8 at its very end keeps its bytes", { timeout: 120_000 }, async () => {
  const person = await newOwner(browser);
  const text = Buffer.from(`ä🔑"\n${"0123456789abcdef \u2028".repeat(LARGE / 20)}`);
  const broken = Buffer.concat([text, Buffer.from([0xc3])]);
  writeFileSync(join(scratch, "long.txt"), text);
  writeFileSync(join(scratch, "broken.txt"), broken);
  await uploadFiles(person.page, [join(scratch, "long.txt"), join(scratch, "broken.txt")], 2);
  const stored = await storedFiles(person);
  expect(stored.get("long.txt")?.data).toBe(text.toString());
  expect(bytesOf(stored.get("broken.txt"))?.equals(broken)).toBe(true);
});

test("files that are dropped go into the folder that they are dropped on", async () => {
  const person = await newOwner(browser);
  const { page } = person;
  await makeFolder(page, "Letters");
  const drop = async (target: string, name: string) => {
    const data = await page.evaluateHandle((fileName) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([`dropped ${fileName}`], fileName, { type: "text/plain" }));
      return transfer;
    }, name);
    for (const type of ["dragover", "drop"]) await page.locator(target).dispatchEvent(type, { dataTransfer: data });
    await page.getByText(/files? uploaded/).waitFor();
    await page.getByLabel("Close the list of uploads").click();
  };
  await drop("[role=grid] tbody tr", "inside.txt");
  await drop("main h1", "here.txt");
  const stored = await storedFiles(person);
  expect(bytesOf(stored.get("Letters/inside.txt"))?.toString()).toBe("dropped inside.txt");
  expect(bytesOf(stored.get("here.txt"))?.toString()).toBe("dropped here.txt");
});

test("a name that exists is kept beside, replaced or skipped, for one or for all", async () => {
  const person = await newOwner(browser);
  const { page } = person;
  const names = ["a.txt", "b.txt", "c.txt"];
  const send = (text: string) => page.getByLabel("Files to upload").setInputFiles(names.map((name) => textFile(name, `${text} ${name}`)));
  await uploadFiles(
    page,
    names.map((name) => textFile(name, `first ${name}`)),
    3,
  );
  const question = page.getByRole("dialog", { name: "This name exists" });
  const contents = async () => Object.fromEntries([...(await storedFiles(person))].filter(([path]) => path).map(([path, { data }]) => [path, data]));

  await send("second");
  await question.getByLabel("Do the same with all that follow").check();
  await question.getByRole("button", { name: "Replace" }).click();
  await page.getByText("3 files uploaded", { exact: true }).waitFor();
  expect(await contents()).toEqual({ "a.txt": "second a.txt", "b.txt": "second b.txt", "c.txt": "second c.txt" });

  await page.getByLabel("Close the list of uploads").click();
  await send("third");
  await question.getByRole("button", { name: "Keep both" }).click();
  await question.getByRole("button", { name: "Skip" }).click();
  await question.getByRole("button", { name: "Skip" }).click();
  await page.getByText("1 file uploaded", { exact: true }).waitFor();
  const after = await contents();
  expect(Object.keys(after)).toHaveLength(4);
  expect(Object.keys(after).filter((name) => / \(2\)\.txt$/.test(name))).toHaveLength(1);
  expect(after["a.txt"]).toBe("second a.txt");
});

test("an upload that broke off goes on where it was, and one that is cancelled leaves nothing", { timeout: 120_000 }, async () => {
  const person = await newOwner(browser);
  const { page } = person;
  const bytes = randomBytes(LARGE);
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
  await page.route("**/files/uploads/*", (route) => (route.request().method() === "PUT" ? undefined : route.continue()));
  writeFileSync(join(scratch, "never.bin"), bytes);
  await page.getByLabel("Files to upload").setInputFiles(join(scratch, "never.bin"));
  const begun = () => db.fileDraft.count({ where: { userId: person.id, refreshedAt: { not: null } } });
  await expect.poll(begun).toBe(1);
  await page.getByRole("button", { name: "Cancel never.bin" }).click();
  await expect.poll(begun).toBe(0);
  expect((await storedFiles(person)).has("never.bin")).toBe(false);
});

test("what failed is sent again on demand", async () => {
  const person = await newOwner(browser);
  const { page } = person;
  const body = JSON.stringify({ error: "Not now.", code: "files_limit" });
  await page.route("**/files/uploads?*", (route) => route.fulfill({ status: 403, contentType: "application/json", body }));
  await page.getByLabel("Files to upload").setInputFiles([textFile("a.txt"), textFile("b.txt")]);
  await page.getByText("2 files could not be uploaded").waitFor();
  expect(await uploads(page).getByText("Not now.").count()).toBe(2);
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try the 2 failed again" }).click();
  await page.getByText("2 files uploaded", { exact: true }).waitFor();
  expect([...(await storedFiles(person)).keys()].toSorted()).toEqual(["", "a.txt", "b.txt"]);
});

test("an upload that gets no answer says so, and goes on by itself", async () => {
  const { page, context } = await newOwner(browser);
  await context.setOffline(true);
  await page.getByLabel("Files to upload").setInputFiles(textFile("patient.txt"));
  await uploads(page).getByText("No answer, trying again").waitFor();
  await context.setOffline(false);
  await page.getByText("1 file uploaded", { exact: true }).waitFor();
  await row(page, "patient.txt").waitFor();
});

test("a session that ends in the middle says so, and the upload goes on after signing in", { timeout: 120_000 }, async () => {
  const person = await newOwner(browser);
  const { page } = person;
  const bytes = randomBytes(LARGE);
  writeFileSync(join(scratch, "long way.bin"), bytes);
  const offsets: string[] = [];
  await page.route("**/files/uploads/*", async (route) => {
    const offset = new URL(route.request().url()).searchParams.get("offset");
    if (offset === "4000000" && offsets.length === 1) await db.session.deleteMany({ where: { userId: person.id } });
    if (offset !== null) offsets.push(offset);
    return route.continue();
  });
  await page.getByLabel("Files to upload").setInputFiles(join(scratch, "long way.bin"));
  await page.getByRole("alert").filter({ hasText: "You are signed out." }).waitFor();
  const [tab] = await Promise.all([person.context.waitForEvent("page"), page.getByRole("link", { name: "Sign in in a new tab" }).click()]);
  await submitAccount(tab, "Sign in", person.username);
  await tab.getByRole("link", { name: `Account of ${person.username}` }).waitFor();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText("1 file uploaded", { exact: true }).waitFor();
  expect(offsets).toEqual(["0", "4000000", "4000000", "8000000"]);
  expect(bytesOf((await storedFiles(person)).get("long way.bin"))?.equals(bytes)).toBe(true);
});

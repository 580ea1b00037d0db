import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { origin } from "@/tests/support/http";
import { sized } from "@/tests/support/size";
import {
  bytesOf,
  enterFolder,
  LARGE_UPLOAD,
  makeFolder,
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

const scratch = scratchFolder();

let person: Person;
let page: Page;
openForEach(newOwner, (owner) => {
  person = owner;
  page = owner.page;
});

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
  for (let at = from; at < to; at += step)
    hash.update(Buffer.from(document.toString("latin1", at, Math.min(to, at + step)), "base64"));
  return hash.digest("hex");
}

test("a folder of 100 files, with those in it, arrives byte for byte", async () => {
  const sent = new Map<string, Buffer>();
  for (let n = 0; n < 100; n++) {
    const path = `Réisen/${["", "2025/", "2025/Größen & <b>/"][n % 3]}file ${n}.${n % 2 ? "txt" : "bin"}`;
    sent.set(path, n % 2 ? Buffer.from(`line ${n}\r\n"ä\\" 🔑 \u2028 ${"x".repeat(n * 50)}`) : randomBytes(n * 40));
  }
  for (const [path, bytes] of sent) {
    mkdirSync(join(scratch, path, ".."), { recursive: true });
    writeFileSync(join(scratch, path), bytes);
  }
  await page.getByLabel("Folder to upload").setInputFiles(join(scratch, "Réisen"));
  await page.getByText("100 files uploaded", { exact: true }).waitFor({ timeout: 240_000 });
  const stored = await storedFiles(person);
  expect([...stored.keys()].toSorted()).toEqual(
    ["", "Réisen", "Réisen/2025", "Réisen/2025/Größen & <b>", ...sent.keys()].toSorted(),
  );
  for (const [path, bytes] of sent) expect(bytesOf(stored.get(path))?.equals(bytes), path).toBe(true);
  await enterFolder(page, "Réisen");
  await row(page, "2025").waitFor();
  await row(page, "file 99.txt").waitFor();
  expect(await row(page, "file 98.bin").count()).toBe(0);
  person.expectCalm();
});

test("of 300 small files, a few requests bring all, and only the names that exist are asked about", async () => {
  const many = join(scratch, "many");
  mkdirSync(many);
  await makeFolder(page, "many");
  await enterFolder(page, "many");
  await uploadFiles(page, [textFile("note 7.txt", "old"), textFile("note 200.txt", "old")], 2);
  await page.getByRole("navigation", { name: "Folder path" }).getByRole("link", { name: "All files" }).click();
  await row(page, "many").waitFor();
  for (let n = 0; n < 300; n++) writeFileSync(join(many, `note ${n}.txt`), `${n} `.repeat(n));
  let requests = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/files/uploads")) requests++;
  });
  await page.getByLabel("Folder to upload").setInputFiles(many);
  const question = page.getByRole("dialog", { name: "This name is taken" });
  await question.getByLabel(/^Apply to all/).check();
  await question.getByRole("button", { name: "Replace" }).click();
  await page.getByText("300 files uploaded", { exact: true }).waitFor({ timeout: 240_000 });
  expect(requests).toBeLessThanOrEqual(8);
  const stored = await storedFiles(person);
  expect(stored.size).toBe(302);
  for (let n = 0; n < 300; n++) expect(stored.get(`many/note ${n}.txt`)?.data).toBe(`${n} `.repeat(n));
  person.expectCalm();
});

test.each([375, 1280])("a toast covers nothing of the panel of uploads, %d pixels wide", async (width) => {
  await page.setViewportSize({ width, height: 740 });
  await makeFolder(page, "Box");
  await page.route("**/files/uploads/**", (route) =>
    route.fulfill({ status: 403, contentType: "application/json", body: '{"error":"No room.","code":"files_limit"}' }),
  );
  await page.getByLabel("Files to upload").setInputFiles(textFile("a.txt"));
  await uploadsPanel(page).getByRole("button", { name: "Retry failed upload" }).waitFor();
  await row(page, "Box").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const toast = page.getByRole("status").locator("div", { hasText: "Box deleted." });
  await toast.waitFor();
  // It moves while it appears.
  const isApart = async () => {
    const [one, other] = [await toast.boundingBox(), await uploadsPanel(page).boundingBox()];
    if (!one || !other) return false;
    return one.y + one.height <= other.y || other.y + other.height <= one.y || one.x + one.width <= other.x;
  };
  await expect.poll(isApart).toBe(true);
  await uploadsPanel(page).getByRole("button", { name: "Retry failed upload" }).click({ trial: true });
});

/** Of four million bytes each. */
const PARTS = sized(15, 50);

test("a large file arrives in parts, and shows how far it is", async () => {
  const hash = createHash("sha256");
  const file = createWriteStream(join(scratch, "film.mp4"));
  for (let n = 0; n < PARTS; n++) {
    const bytes = randomBytes(4_000_000);
    hash.update(bytes);
    if (!file.write(bytes)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
  await page.getByLabel("Files to upload").setInputFiles(join(scratch, "film.mp4"));
  const bar = uploadsPanel(page).getByRole("progressbar", { name: "film.mp4" });
  const handle = await bar.elementHandle();
  await page.waitForFunction((element) => Number(element?.getAttribute("aria-valuenow")) > 20, handle, {
    timeout: 120_000,
  });
  await page.getByText("1 file uploaded", { exact: true }).waitFor({ timeout: 240_000 });
  expect(await hashOfOnlyUrl(person)).toBe(hash.digest("hex"));
  await row(page, "film.mp4")
    .getByText(`${4 * PARTS} MB`)
    .filter({ visible: true })
    .waitFor();
});

test("a large text stays text, and one that is not UTF-8 at its very end keeps its bytes", async () => {
  const text = Buffer.from(`ä🔑"\n${"0123456789abcdef \u2028".repeat(LARGE_UPLOAD / 20)}`);
  const broken = Buffer.concat([text, Buffer.from([0xc3])]);
  writeFileSync(join(scratch, "long.txt"), text);
  writeFileSync(join(scratch, "broken.txt"), broken);
  await uploadFiles(page, [join(scratch, "long.txt"), join(scratch, "broken.txt")], 2);
  const stored = await storedFiles(person);
  expect(stored.get("long.txt")?.data).toBe(text.toString());
  expect(bytesOf(stored.get("broken.txt"))?.equals(broken)).toBe(true);
});

test("files that are dropped go into the folder that they are dropped on", async () => {
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
  const names = ["a.txt", "b.txt", "c.txt"];
  const send = (text: string) =>
    page.getByLabel("Files to upload").setInputFiles(names.map((name) => textFile(name, `${text} ${name}`)));
  await uploadFiles(
    page,
    names.map((name) => textFile(name, `first ${name}`)),
    3,
  );
  const question = page.getByRole("dialog", { name: "This name is taken" });
  const contents = async () =>
    Object.fromEntries(
      [...(await storedFiles(person))].filter(([path]) => path).map(([path, { data }]) => [path, data]),
    );

  await send("second");
  await question.getByText(/^There is already something named [abc]\.txt in All files\.$/).waitFor();
  await question.getByText(/^11 B, modified/).waitFor();
  await question.getByText(/^12 B, modified/).waitFor();
  await question.getByLabel("Apply to all 3 conflicts").check();
  await question.getByRole("button", { name: "Replace" }).click();
  await page.getByText("3 files uploaded", { exact: true }).waitFor();
  expect(await contents()).toEqual({ "a.txt": "second a.txt", "b.txt": "second b.txt", "c.txt": "second c.txt" });

  await page.getByLabel("Close the list of uploads").click();
  await send("third");
  await question.getByRole("button", { name: "Keep both" }).click();
  await question.getByRole("button", { name: "Skip" }).click();
  await question.getByRole("button", { name: "Skip" }).click();
  await page.getByText("1 file uploaded, 2 skipped", { exact: true }).waitFor();
  const after = await contents();
  expect(Object.keys(after)).toHaveLength(4);
  expect(Object.keys(after).filter((name) => / \(2\)\.txt$/.test(name))).toHaveLength(1);
  expect(after["a.txt"]).toBe("second a.txt");
});

import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import type { Request } from "playwright";
import { beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { sized } from "@/tests/support/size";
import {
  bytesOf,
  closePanel,
  expectStored,
  fileWriter,
  LARGE_UPLOAD,
  ownerIn,
  pathsOf,
  pickFiles,
  row,
  storedFiles,
  textFile,
  textsOf,
  uploaded,
  uploadFiles,
  uploadsPanel,
} from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { gate, press, told } from "./on-page";
import { type Member, newVisitor } from "./visitor";

const shared = await newVisitor();
const { page } = shared;
beforeEach(() => page.unrouteAll());
const newFile = fileWriter();
const question = page.getByRole("dialog", { name: "This name is taken" });
const pickFolder = (folder: string) => page.getByLabel("Folder to upload").setInputFiles(folder);

test("of a folder, a few requests bring all files in it; what is dropped goes where it is dropped", async () => {
  const person = await ownerIn(shared, ["Réisen/file 3.txt", "old"], ["Réisen/file 9.txt", "old"]);
  const sent = new Map<string, Buffer>();
  let folder = "";
  for (let n = 0; n < 180; n++) {
    const path = `Réisen/${["", "2025/", "2025/Größen & <b>/"][n % 3]}file ${n}.${n % 2 ? "txt" : "bin"}`;
    const text = Buffer.from(`line ${n}\r\n"ä\\" 🔑 \u2028 ${"x".repeat(n * 50)}`);
    const file = newFile(path, n % 2 ? text : randomBytes(n * 40));
    sent.set(path, file.bytes);
    if (n === 0) folder = dirname(file.path);
  }
  const requests: Record<string, number> = { PUT: 0, POST: 0 };
  page.on("request", (request) => {
    const method = request.method();
    if (new URL(request.url()).pathname.startsWith("/files/uploads")) requests[method] = (requests[method] ?? 0) + 1;
  });
  await pickFolder(folder);
  // Only the names that exist are asked about.
  await press(question, "Replace");
  await page.getByText("180 files uploaded", { exact: true }).waitFor({ timeout: 240_000 });
  // Fifty files of one folder go together; only with a folder that was there before are they compared.
  expect(requests.PUT).toBeLessThanOrEqual(8);
  expect(requests.POST).toBe(2);
  const stored = await storedFiles(person);
  expect([...stored.keys()].toSorted()).toEqual(
    ["", "Réisen", "Réisen/2025", "Réisen/2025/Größen & <b>", ...sent.keys()].toSorted(),
  );
  for (const [path, bytes] of sent) expect(bytesOf(stored.get(path))?.equals(bytes), path).toBe(true);
  await closePanel(page);

  for (const [target, name] of [
    ["[role=grid] tbody tr", "inside.txt"],
    ["main h1", "here.txt"],
  ] as const) {
    const data = await page.evaluateHandle((fileName) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([`dropped ${fileName}`], fileName, { type: "text/plain" }));
      return transfer;
    }, name);
    for (const type of ["dragover", "drop"]) await page.locator(target).dispatchEvent(type, { dataTransfer: data });
    await uploaded(page);
    await closePanel(page);
  }
  expect(await textsOf(person)).toMatchObject({
    "Réisen/inside.txt": "dropped inside.txt",
    "here.txt": "dropped here.txt",
  });
  person.expectCalm();
});

/** Of four million bytes each. */
const PARTS = sized(4, 50);

test("a large file arrives in parts, and shows how far it is; a text in UTF-8 to its end stays one", async () => {
  const person = await ownerIn(shared);
  const film = newFile("film.mp4", randomBytes(4_000_000 * PARTS));
  const text = Buffer.from(`ä🔑"\n${"0123456789abcdef \u2028".repeat(LARGE_UPLOAD / 20)}`);
  const long = newFile("long.txt", text);
  const broken = newFile("broken.txt", Buffer.concat([text, Buffer.from([0xc3])]));
  await pickFiles(page, film.path);
  const bar = await uploadsPanel(page).getByRole("progressbar", { name: "film.mp4" }).elementHandle();
  await page.waitForFunction((element) => Number(element?.getAttribute("aria-valuenow")) > 20, bar);
  await page.getByText("1 file uploaded", { exact: true }).waitFor({ timeout: 240_000 });
  await row(page, "film.mp4")
    .getByText(`${4 * PARTS} MB`)
    .filter({ visible: true })
    .waitFor();
  await closePanel(page);
  await uploadFiles(page, [long.path, broken.path], 2);
  expect((await storedFiles(person)).get("long.txt")?.data).toBe(text.toString());
  await expectStored(person, "film.mp4", film.bytes);
  await expectStored(person, "broken.txt", broken.bytes);
});

test("a name that exists is kept beside, replaced or skipped, for one or for all", async () => {
  const names = ["a.txt", "b.txt", "c.txt"];
  const person = await ownerIn(shared, ...names.map((name): [string, string] => [name, `first ${name}`]));
  const send = (text: string) =>
    pickFiles(
      page,
      names.map((name) => textFile(name, `${text} ${name}`)),
    );
  await send("second");
  await told(question, /^There is already something named [abc]\.txt in All files\.$/, /^11 B, modified/);
  await told(question, /^12 B, modified/);
  await expectGoodLooks(page);
  expect(await question.getByLabel("Apply to all 3 conflicts").isChecked()).toBe(true);
  await press(question, "Replace");
  await uploaded(page, "3 files uploaded");
  expect(await textsOf(person)).toEqual({ "a.txt": "second a.txt", "b.txt": "second b.txt", "c.txt": "second c.txt" });

  await closePanel(page);
  await send("third");
  await question.getByLabel(/^Apply to all/).uncheck();
  for (const answer of ["Keep both", "Skip", "Skip"]) await question.getByRole("button", { name: answer }).click();
  await uploaded(page, "1 file uploaded, 2 skipped");
  const after = await textsOf(person);
  expect(Object.keys(after).filter((name) => / \(2\)\.txt$/.test(name))).toHaveLength(1);
  expect(Object.keys(after)).toHaveLength(4);
});

test("a folder that is uploaded again sends only what has changed since, and asks about nothing else", async () => {
  const person = await ownerIn(shared);
  const names = ["a.txt", "b.txt", "deep/c.bin", "deep/d.bin", "deep/e.bin"];
  const files = names.map((name) => newFile(`Photos/${name}`, randomBytes(name === "deep/e.bin" ? LARGE_UPLOAD : 99)));
  const send = async (words: string) => {
    const bodies: string[] = [];
    const note = (request: Request) => request.method() === "PUT" && bodies.push(request.url());
    page.on("request", note);
    await pickFolder(dirname(files[0]?.path ?? ""));
    await uploaded(page, words);
    page.off("request", note);
    return bodies.length;
  };
  // The list stays open: each upload counts what is its own.
  await send("5 files uploaded");
  expect(await send("5 unchanged files skipped")).toBe(0);
  const { bytes } = newFile("Photos/deep/c.bin", randomBytes(98));
  newFile("Photos/deep/new.bin", randomBytes(97));
  const skipping = send("1 file uploaded, 4 unchanged files skipped, 1 skipped");
  await told(question, "There is already something named c.bin in deep.");
  await page.keyboard.press("Escape");
  expect(await skipping).toBe(1);
  const replacing = send("1 file uploaded, 5 unchanged files skipped");
  await press(question, "Replace");
  await replacing;
  await expectStored(person, "Photos/deep/c.bin", bytes);
});

describe("an upload that is cancelled leaves nothing", () => {
  const begun = (userId: string) => db.fileDraft.count({ where: { userId, refreshedAt: { not: null } } });

  /** Begins an upload that no part of is ever taken. */
  async function sendNever(): Promise<void> {
    await page.route("**/files/uploads/*", (route) =>
      route.request().method() === "PUT" ? undefined : route.continue(),
    );
    const part = page.waitForRequest((request) => request.method() === "PUT");
    await pickFiles(page, newFile("never.bin").path);
    await part;
    // Its bar moves the buttons below, which then wait.
    await uploadsPanel(page).getByRole("progressbar", { name: "never.bin" }).waitFor();
  }

  async function expectNothing(person: Member): Promise<void> {
    await told(page, "Nothing was uploaded");
    await expect.poll(() => begun(person.id)).toBe(0);
    expect(await pathsOf(person)).toEqual([]);
    await closePanel(page);
  }

  test.for(["Cancel never.bin", "Cancel all"])("%s: while it is being sent", async (name) => {
    const person = await ownerIn(shared);
    await sendNever();
    expect(await begun(person.id)).toBe(1);
    await press(page, name);
    await expectNothing(person);
  });

  test("before the service answered that it began, and while it does not respond", async () => {
    const person = await ownerIn(shared);
    const { opened, open: answer } = gate();
    await page.route("**/files/uploads", async (route) => {
      const response = await route.fetch();
      await opened;
      await route.fulfill({ response }).catch(() => {});
    });
    await page.route("**/files/uploads/*", (route) =>
      route.request().method() === "PUT" ? route.abort() : route.continue(),
    );
    const never = newFile("never.bin").path;
    await pickFiles(page, never);
    await expect.poll(() => begun(person.id)).toBe(1);
    await press(page, "Cancel never.bin", "Nothing was uploaded");
    answer();
    await expectNothing(person);

    await pickFiles(page, never);
    await told(uploadsPanel(page), "No response, retrying");
    await press(page, "Cancel never.bin");
    await expectNothing(person);
  });
});

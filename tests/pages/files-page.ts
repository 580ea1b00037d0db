import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page, Request } from "playwright";
import { afterAll, expect } from "vitest";
import { openFolder, putFile } from "@/lib/files/create";
import type { FileOwner } from "@/lib/files/document/entry";
import { ask } from "@/tests/support/http";
import { type Member, newSignedIn, newVisitor, openReady, type Visitor } from "./visitor";

/** A path below the root, of a folder if it ends with "/"; and a file's text, if it is not that of `textFile`. */
type Given = string | [path: string, text: string];

/** Somebody with these files who looks at the page of files. */
export const newOwner = async (...given: Given[]) => ownerIn(await newVisitor(), ...given);

/** The same, in a window that tests share. */
export async function ownerIn(visitor: Visitor, ...given: Given[]): Promise<Member> {
  const person = await newSignedIn(visitor);
  await store(person, ...given);
  await openReady(person.page, "/files");
  return person;
}

/** Stores files, with the folders that they are in. */
export async function store(owner: FileOwner, ...given: Given[]): Promise<void> {
  for (const one of given) {
    const [path, text] = typeof one === "string" ? [one] : one;
    const folders = path.split("/");
    const name = folders.pop() ?? "";
    let parentId: string | undefined;
    for (const folder of folders) parentId = (await openFolder(owner, parentId, { name: folder })).id;
    const bytes = Buffer.from(text ?? `text of ${name}`);
    if (name !== "") await putFile(owner, parentId, { name, bytes, onExisting: "refuse" });
  }
}

interface Stored {
  id: string;
  type: string;
  /** A folder's are the ids of its children. */
  data: string | string[];
}

/**
 * What `/read-files` answers to the owner's token, by path below the root ("" is the root itself). Fails where a
 * folder's list of children is not right.
 */
export async function storedFiles({ token, username }: Member): Promise<Map<string, Stored>> {
  const { list } = await ask("/read-files", { query: { auth: token } });
  const values = list as unknown[];
  const root = `origin/(c) users/${username}`;
  const found = new Map<string, Stored>();
  const children = new Map<string, string[]>();
  for (let at = 0; at < values.length; at += 14) {
    const [type, name, location, data] = values.slice(at, at + 4) as [string, string, string, string | string[]];
    const id = String(values[at + 13]);
    const path = `${location}/${name}${type === ".folder" ? "" : type}`;
    found.set(path.slice(root.length + 1), { id, type, data });
    children.set(location, [...(children.get(location) ?? []), id]);
  }
  for (const [path, { type, data }] of found) {
    if (type !== ".folder") continue;
    const listed = typeof data === "string" ? JSON.parse(data) : data;
    const expected = children.get(path ? `${root}/${path}` : root) ?? [];
    if (listed.toSorted().join() !== expected.toSorted().join())
      throw new Error(`The list of children of “${path}” is not right`);
  }
  return found;
}

/** The paths of all that a person has stored, sorted. */
export const pathsOf = async (person: Member) =>
  [...(await storedFiles(person)).keys()].filter((path) => path !== "").toSorted();

/** What a person has stored as text, by path; of a folder, its children. */
export const textsOf = async (person: Member) =>
  Object.fromEntries([...(await storedFiles(person))].filter(([path]) => path).map(([path, { data }]) => [path, data]));

/** Fails unless a person has stored these bytes under this path. */
export const expectStored = async (person: Member, path: string, bytes: Buffer) =>
  expect(bytesOf((await storedFiles(person)).get(path))?.equals(bytes), path).toBe(true);

/** The content of a stored file. */
export function bytesOf(stored: Stored | undefined): Buffer | undefined {
  if (typeof stored?.data !== "string") return undefined;
  const url = /^data:[^,]*;base64,(.*)$/s.exec(stored.data);
  return url ? Buffer.from(url[1] ?? "", "base64") : Buffer.from(stored.data);
}

/** A file to put into an input. */
export function textFile(name: string, text = `text of ${name}`): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: "text/plain", buffer: Buffer.from(text) };
}

/** Bytes of a file that is sent in two parts. */
export const LARGE_UPLOAD = 4_100_000;

/** Writes what this file's tests upload: by default, random bytes that are sent in two parts. */
export function fileWriter(): (name: string, bytes?: Buffer) => { path: string; bytes: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-upload-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name, bytes = randomBytes(LARGE_UPLOAD)) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return { path, bytes };
  };
}

type InputFiles = Parameters<ReturnType<Page["locator"]>["setInputFiles"]>[0];

/** Puts files into the folder that is shown. */
export const pickFiles = (page: Page, files: InputFiles) => page.getByLabel("Files to upload").setInputFiles(files);

/** Waits until the panel says this of its files. */
export const uploaded = (page: Page, text = "1 file uploaded") => page.getByText(text, { exact: true }).waitFor();

/** Puts files into the folder that is shown, and waits until all have arrived. */
export async function uploadFiles(page: Page, files: InputFiles, count = 1): Promise<void> {
  await pickFiles(page, files);
  await uploaded(page, count === 1 ? "1 file uploaded" : `${count} files uploaded`);
  await closePanel(page);
}

export const uploadsPanel = (page: Page) => page.getByRole("region", { name: "Uploads" });

/** Closes the list of uploads. What it said of them must not be taken for what it says of the next ones. */
export async function closePanel(page: Page): Promise<void> {
  await page.getByLabel("Close the list of uploads").click();
  await page.locator("[data-uploads]").waitFor({ state: "detached" });
}

/** The paths of the requests that upload. */
export const UPLOADS = /\/files\/uploads[/?]/;

const offsetOf = (request: Request) => new URL(request.url()).searchParams.get("offset");
/** Of a file that is sent in two. */
export const isSecondPart = (request: Request) => offsetOf(request) === "4000000";

/** The offsets of the parts that this page sends from now on. */
export function offsetsOf(page: Page): string[] {
  const offsets: string[] = [];
  page.on("request", (request) => {
    const offset = offsetOf(request);
    if (offset !== null) offsets.push(offset);
  });
  return offsets;
}

/** Refuses these requests, until the page has no such route any more. */
export const refuse = (page: Page, addresses: RegExp) =>
  page.route(addresses, (route) => {
    const body = JSON.stringify({ error: "Not now.", code: "files_limit" });
    return route.fulfill({ status: 403, contentType: "application/json", body });
  });

export const row = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

/** Selects these rows, and no others. */
export async function choose(page: Page, ...names: string[]): Promise<void> {
  for (const [index, name] of names.entries())
    await row(page, name).click({ modifiers: index === 0 ? [] : ["Control"] });
}

/** Opens a folder by its name, and waits until it is shown. */
export async function enterFolder(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name, exact: true }).click();
  await page
    .getByRole("navigation", { name: "Folder path" })
    .locator("[aria-current=page]", { hasText: name })
    .waitFor();
}

/** Chooses from a menu of the page. */
export async function fromMenu(page: Page, menu: "Add" | "More", item: string): Promise<void> {
  await page.getByRole("button", { name: menu, exact: true }).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
}

/** Deletes what is selected by the key, which counts once the page is at rest: when the button can be used. */
export async function deleteByKey(page: Page): Promise<void> {
  await selectionBar(page).getByRole("button", { name: "Delete" }).click({ trial: true });
  await page.keyboard.press("Delete");
}

/** The bar with what can be done with the selected rows. */
export const selectionBar = (page: Page) => page.getByRole("toolbar", { name: "Selection" });

/** Makes a folder in the one that is shown. */
export async function makeFolder(page: Page, name: string): Promise<void> {
  await fromMenu(page, "Add", "New folder");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create folder" }).click();
  await row(page, name).waitFor();
}

/** Takes back what a toast tells. */
export const undo = (page: Page, told: string) =>
  page.getByRole("status").locator("div", { hasText: told }).last().getByRole("button", { name: "Undo" }).click();

/** Gives the dialog a document to import. */
export const give = (page: Page, text: string) =>
  page.getByLabel("Document", { exact: true }).setInputFiles(textFile("document.json", text));

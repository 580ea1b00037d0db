import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { afterAll } from "vitest";
import { ask } from "@/tests/support/http";
import { newPerson, type Person } from "./person";
import { openReady } from "./visitor";

/** Somebody who has just signed up and looks at the page of files. */
export async function newOwner(browser: Browser): Promise<Person> {
  const person = await newPerson(browser);
  await openReady(person.page, "/files");
  await person.page.getByText("No files yet").waitFor();
  return person;
}

export interface Stored {
  id: string;
  type: string;
  /** A folder's are the ids of its children. */
  data: string | string[];
}

/**
 * What `/read-files` answers to the owner's token, by path below the root ("" is the root itself). Fails where a
 * folder's list of children is not right.
 */
export async function storedFiles({
  token,
  username,
}: {
  token: string;
  username: string;
}): Promise<Map<string, Stored>> {
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

/** A place for what this file's tests upload. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-upload-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Puts files into the folder that is shown, and waits until all have arrived. */
export async function uploadFiles(
  page: Page,
  files: Parameters<ReturnType<Page["locator"]>["setInputFiles"]>[0],
  count = 1,
): Promise<void> {
  await page.getByLabel("Files to upload").setInputFiles(files);
  await page.getByText(count === 1 ? "1 file uploaded" : `${count} files uploaded`, { exact: true }).waitFor();
  await page.getByLabel("Close the list of uploads").click();
}

export const row = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

/** Opens a folder by its name, and waits until it is shown. */
export async function enterFolder(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name, exact: true }).click();
  await page
    .getByRole("navigation", { name: "Folder path" })
    .locator("[aria-current=page]", { hasText: name })
    .waitFor();
}

/** Makes a folder in the one that is shown. */
export async function makeFolder(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "New folder" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create folder" }).click();
  await row(page, name).waitFor();
}

/** Bytes of a file that is sent in several parts. */
export const LARGE_UPLOAD = 9_000_000;

export const uploadsPanel = (page: Page) => page.getByRole("region", { name: "Uploads" });

/** The paths of all that a person has stored, sorted. */
export const pathsOf = async (person: Person) =>
  [...(await storedFiles(person)).keys()].filter((path) => path !== "").toSorted();

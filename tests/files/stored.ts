import { putFile } from "@/lib/files/create";
import { importDocument } from "@/lib/files/import";
import { exportDocument } from "@/lib/files/read";
import type { OnExisting } from "@/lib/files/schema";
import { chunks, type Entry, file, idOf, root, textOf, values } from "@/tests/support/documents";
import { entriesOf } from "@/tests/support/indexed";

type Owner = Parameters<typeof importDocument>[0];

export const homeOf = (username: string) => `origin/(c) users/${username}`;

export function folderEntry(username: string, n: number, name: string, below = ""): Entry {
  return { type: ".folder", name, location: homeOf(username) + below, data: [], id: idOf(n) };
}

export function fileEntry(username: string, n: number, name: string, data = "", below = ""): Entry {
  return { ...file(username, n, data, name), location: homeOf(username) + below };
}

export function importEntries(user: Owner, entries: Entry[]) {
  const top = entries.filter(({ location }) => location === homeOf(user.username)).map(({ id }) => id);
  return importDocument(user, chunks(JSON.stringify([root(user.username, top), ...entries].flatMap(values))));
}

export function put(user: Owner, name: string, more: { folder?: string; text?: string; onExisting?: OnExisting } = {}) {
  const { folder, text = name, onExisting = "refuse" } = more;
  return putFile(user, folder, { name, bytes: Buffer.from(text), onExisting });
}

export const documentOf = async ({ id }: Owner) => textOf(await exportDocument(id));
export const entriesIn = async (user: Owner) => entriesOf(JSON.parse(await documentOf(user)));

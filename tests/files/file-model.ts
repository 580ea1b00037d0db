import { splitName } from "@/lib/files/document/entry";
import { entriesOf } from "@/tests/support/indexed";

export const USERS = "origin/(c) users";

export interface ModelEntry {
  type: string;
  name: string;
  location: string;
  data: unknown;
  edited: unknown;
  size: unknown;
  id: string;
  values: readonly unknown[];
}

export const isFolder = ({ type }: ModelEntry) => type === ".folder";
export const shownName = (entry: ModelEntry) => (isFolder(entry) ? entry.name : `${entry.name}${entry.type}`);
export const pathOf = (entry: ModelEntry) => `${entry.location}/${shownName(entry)}`;
export const isWithin = (location: string, path: string) => `${location}/`.startsWith(`${path}/`);

/** What the document of a user must be, as plain objects in memory. */
export class FileModel {
  entries = new Map<string, ModelEntry>();

  constructor(readonly username: string) {}

  replace(document: readonly unknown[]): void {
    this.entries = new Map(entriesOf(document).map((values) => [String(values[13]), entryOf(values)]));
  }

  get folders(): ModelEntry[] {
    return [...this.entries.values()].filter(isFolder);
  }

  get root(): ModelEntry | undefined {
    return this.folders.find(({ location }) => location === USERS);
  }

  parentOf({ location }: ModelEntry): ModelEntry | undefined {
    return this.folders.find((folder) => pathOf(folder) === location);
  }

  named(folder: ModelEntry, name: string): ModelEntry | undefined {
    return [...this.entries.values()].find((entry) => entry.location === pathOf(folder) && shownName(entry) === name);
  }

  freeName(folder: ModelEntry, name: string, ofFolder: boolean, others: ReadonlySet<string> = new Set()): string {
    const { name: base, type } = ofFolder ? { name, type: "" } : splitName(name);
    for (let n = 1; ; n++) {
      const candidate = n === 1 ? name : `${base} (${n})${type}`;
      if (!this.named(folder, candidate) && !others.has(candidate)) return candidate;
    }
  }

  list(path: string, now: number, add: readonly string[], remove: readonly string[] = []): void {
    for (const folder of this.folders.filter((entry) => pathOf(entry) === path)) {
      const isText = typeof folder.data === "string";
      const before: string[] = isText ? JSON.parse(String(folder.data)) : (folder.data as string[]);
      const list = before.filter((id) => !remove.includes(id));
      list.push(...add.filter((id) => !list.includes(id)));
      folder.data = isText ? JSON.stringify(list) : list;
      folder.size = list.length;
      folder.edited = now;
    }
  }

  add(entry: ModelEntry, now: number): void {
    this.entries.set(entry.id, entry);
    this.list(entry.location, now, [entry.id]);
  }

  below(entry: ModelEntry): ModelEntry[] {
    return isFolder(entry)
      ? [...this.entries.values()].filter(({ location }) => isWithin(location, pathOf(entry)))
      : [];
  }

  relocate(entry: ModelEntry, location: string, name: string): void {
    const [from, below] = [pathOf(entry), this.below(entry)];
    Object.assign(entry, { location }, isFolder(entry) ? { name } : splitName(name));
    for (const each of below) each.location = pathOf(entry) + each.location.slice(from.length);
  }

  remove(entry: ModelEntry): ModelEntry[] {
    const gone = [entry, ...this.below(entry)];
    for (const { id } of gone) this.entries.delete(id);
    return gone;
  }

  document(): Record<string, unknown[]> {
    return Object.fromEntries(
      [...this.entries.values()].map(({ type, name, location, data, edited, size, id, values }) => [
        id,
        [type, name, location, data, ...values.slice(4, 9), edited, values[10], size, values[12], id],
      ]),
    );
  }
}

function entryOf(values: readonly unknown[]): ModelEntry {
  const [type, name, location, data, , , , , , edited, , size, , id] = values;
  const texts = { type: String(type), name: String(name), location: String(location), id: String(id) };
  return { ...texts, data, edited, size, values };
}

export function madeEntry(
  { id, type, name, location }: Pick<ModelEntry, "id" | "type" | "name" | "location">,
  data: unknown,
  username: string,
  now: number,
): ModelEntry {
  const size = Array.isArray(data) ? data.length : String(data).length;
  return entryOf([type, name, location, data, "", 0, 0, 0, now, now, "", size, [username], id]);
}

import type { EntryHead, FileOwner } from "./entry";

/** The 14 values of an entry (contract, section 3). `data`: a file's data, or the ids of a folder's children. */
function values(
  { type, name, location, id }: EntryHead,
  data: unknown,
  { username }: FileOwner,
  now: number,
  created: unknown,
  size: number,
): unknown[] {
  return [type, name, location, data, "", 0, 0, 0, created, now, "", size, [username], id];
}

export function folderValues(
  head: EntryHead,
  owner: FileOwner,
  now: Date,
  children: readonly string[] = [],
): unknown[] {
  return values(head, children, owner, now.getTime(), now.getTime(), children.length);
}

export function fileValues(head: EntryHead, owner: FileOwner, now: Date, data: string): unknown[] {
  return values(head, data, owner, now.getTime(), now.getTime(), data.length);
}

/** Values as the stored text of an entry. */
export function entryText(values: readonly unknown[], isFirst = false): Buffer {
  return Buffer.from(`${isFirst ? "[" : ","}${JSON.stringify(values).slice(1, -1)}`);
}

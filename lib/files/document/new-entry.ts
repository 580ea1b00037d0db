import type { EntryHead, FileOwner } from "./entry";

/** The 14 values of an entry (contract, section 3). `data`: a file's data, or the ids of a folder's children. */
function values(
  { type, name, location, id }: EntryHead,
  data: unknown,
  { username }: FileOwner,
  created: number,
  edited: number,
  size: number,
): unknown[] {
  return [type, name, location, data, "", 0, 0, 0, created, edited, "", size, [username], id];
}

export function folderValues(
  head: EntryHead,
  owner: FileOwner,
  now: Date,
  children: readonly string[] = [],
): unknown[] {
  return values(head, children, owner, now.getTime(), now.getTime(), children.length);
}

/** `edited`: in Unix ms. */
export function fileValues(head: EntryHead, owner: FileOwner, now: Date, edited: number, data: string): unknown[] {
  return values(head, data, owner, now.getTime(), edited, data.length);
}

/** When a file was last changed, in Unix ms: what its sender says, if that is between 1970 and now, or else now. */
export function editedAt(sent: number | undefined, now: Date): number {
  const isDate = sent !== undefined && Number.isSafeInteger(sent) && sent > 0 && sent <= now.getTime();
  return isDate ? sent : now.getTime();
}

/** Values as the stored text of an entry. */
export function entryText(values: readonly unknown[], isFirst = false): Buffer {
  return Buffer.from(`${isFirst ? "[" : ","}${JSON.stringify(values).slice(1, -1)}`);
}

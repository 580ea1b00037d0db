import { displayName } from "./entry-row";

/** Whether the name of an entry contains this text, ignoring case. The empty text is in all names. */
export function nameMatcher(text: string): (entry: { label: string; type: string }) => boolean {
  const sought = comparable(text);
  return (entry) => sought === "" || comparable(displayName(entry)).includes(sought);
}

function comparable(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

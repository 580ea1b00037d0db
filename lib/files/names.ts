import { invalidParameter } from "@/lib/errors";
import { FOLDER } from "./entry-rules";

export const MOST_NAME = 255;
/** Of a location's JSON text: an import takes no longer ones. */
export const MOST_LOCATION_BYTES = 60_000;
const FORBIDDEN = /[/\p{Cc}]/u;
/** What stands before the last point, and what begins with it, where both are something. */
const EXTENSION = /^(.+)(\.[^.\s]{1,32})$/su;

/** Throws 400 `invalid_parameter` where nothing may be called so. */
export function checkName(name: string): void {
  if (name === "" || name === "." || name === "..") throw invalidParameter(`Nothing can have the name "${name}". Choose another one.`);
  if (name.length > MOST_NAME) throw invalidParameter(`A name has at most ${MOST_NAME} characters; this one has ${name.length}.`);
  if (FORBIDDEN.test(name) || !name.isWellFormed()) throw invalidParameter("A name cannot hold a slash or characters that cannot be shown.");
}

/** The parts in which a document stores the name of a file. */
export function splitName(name: string): { name: string; type: string } {
  const [, base = name, type = ""] = EXTENSION.exec(name) ?? [];
  // A file of this type would be taken for a folder.
  return type === FOLDER ? { name, type: "" } : { name: base, type };
}

/** "name (2).txt" and so on: the n-th name for something that cannot have its own. */
export function numberedName(name: string, n: number, isFolder: boolean): string {
  const { name: base, type } = isFolder ? { name, type: "" } : splitName(name);
  const end = ` (${n})${type}`;
  return `${base.slice(0, MOST_NAME - end.length).toWellFormed()}${end}`;
}

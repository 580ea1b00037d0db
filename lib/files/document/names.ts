import { invalidParameter } from "@/lib/errors";
import { FOLDER } from "./entry";

export const MOST_NAME = 255;
/** Limit for a location's JSON text: an import takes no longer ones. */
const MOST_LOCATION_BYTES = 60_000;
const FORBIDDEN = /[/\p{Cc}]/u;
/** The base name and the extension, which begins with the last point, if both are non-empty. */
const EXTENSION = /^(.+)(\.[^.\s]{1,32})$/su;

/** Throws 400 `invalid_parameter` for an invalid name. */
export function checkName(name: string): void {
  if (name === "" || name === "." || name === "..")
    throw invalidParameter(`The name "${name}" is not allowed. Choose another one.`);
  if (name.length > MOST_NAME)
    throw invalidParameter(`A name has at most ${MOST_NAME} characters; this one has ${name.length}.`);
  if (FORBIDDEN.test(name) || !name.isWellFormed())
    throw invalidParameter("A name cannot contain a slash, control characters or broken characters.");
}

/** The parts in which a document stores the name of a file. */
export function splitName(name: string): { name: string; type: string } {
  const [, base = name, type = ""] = EXTENSION.exec(name) ?? [];
  // A file of this type would look like a folder.
  return type === FOLDER ? { name, type: "" } : { name: base, type };
}

/** "name (2).txt" and so on: the n-th alternative to a taken name. */
export function numberedName(name: string, n: number, isFolder: boolean): string {
  const { name: base, type } = isFolder ? { name, type: "" } : splitName(name);
  const end = ` (${n})${type}`;
  return `${base.slice(0, MOST_NAME - end.length).toWellFormed()}${end}`;
}

/** Throws 400 `invalid_parameter` if a document would not accept this location. */
export function checkLocation(path: string): void {
  if (Buffer.byteLength(JSON.stringify(path)) > MOST_LOCATION_BYTES)
    throw invalidParameter("The folders are nested too deeply, or their names are too long.");
}

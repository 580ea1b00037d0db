import { FOLDER, USERS } from "./entry";
import { foldCase } from "./fold-case";

/** What people call a user's own folder. */
export const ROOT_NAME = "All files";

/** What people call the folder with this path. */
export function placeName(path: string): string {
  const [, ...below] = path.slice(USERS.length + 1).split("/");
  return below.at(-1) ?? ROOT_NAME;
}

/** The path of an entry: a folder's children have it as their location, except for case. */
export function pathOf({ type, name, location }: { type: string; name: string; location: string }): string {
  return type === FOLDER ? `${location}/${name}` : `${location}/${name}${type}`;
}

/** Whether two locations mean the same folder. */
export function isSamePlace(one: string, other: string): boolean {
  return one.length === other.length && foldCase(one) === foldCase(other);
}

/**
 * Whether a location is the folder with this path, or below it. The rest after the path then begins at `path.length`.
 */
export function isWithin(location: string, path: string): boolean {
  if (location.length > path.length && location[path.length] !== "/") return false;
  return isSamePlace(location.slice(0, path.length), path);
}

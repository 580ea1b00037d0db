import { FOLDER } from "./entry-rules";
import { foldCase } from "./fold-case";

/** Where an entry is: a folder's children have this as their location, but for the case of its letters. */
export function pathOf({ type, name, location }: { type: string; name: string; location: string }): string {
  return type === FOLDER ? `${location}/${name}` : `${location}/${name}${type}`;
}

/** Whether two locations are the same folder's. */
export function isSamePlace(one: string, other: string): boolean {
  return one.length === other.length && foldCase(one) === foldCase(other);
}

/** Whether a location is the folder with this path, or below it. What is behind the path then begins at `path.length`. */
export function isWithin(location: string, path: string): boolean {
  if (location.length > path.length && location[path.length] !== "/") return false;
  return isSamePlace(location.slice(0, path.length), path);
}

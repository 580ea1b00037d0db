import type { DocsEntry } from "./index-entries";

/** More would not help to choose. */
const MOST_FOUND = 20;
const LONGEST_QUERY = 100;

/** The entries that contain every word of the query, those named so first; at most twenty. */
export function foundIn(entries: DocsEntry[], query: string): DocsEntry[] {
  const words = query.slice(0, LONGEST_QUERY).toLowerCase().split(/\s+/).filter(Boolean);
  const isIn = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const named = entries.filter(({ name }) => isIn(name));
  const about = entries.filter(({ name, words: more = "", kind }) => !isIn(name) && isIn(`${name} ${more} ${kind}`));
  return [...named, ...about].slice(0, MOST_FOUND);
}

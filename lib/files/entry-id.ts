/** No entry has a longer id. */
export const MOST_ID = 64;
/**
 * Characters that need no escaping in JSON, an address or an index: no space, quote or backslash. Ours are 32 lowercase
 * hex digits; imported documents bring others.
 */
const ID = /^[!#-[\]-~]+$/;

/** Whether an entry may have this id. */
export function isEntryId(text: string): boolean {
  return text.length <= MOST_ID && ID.test(text);
}

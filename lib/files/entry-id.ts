/** Longer ones are nobody's. */
export const MOST_ID = 64;
/** What stands for itself in JSON, in an address and in an index: no blank, quote or backslash. Ours are 32 lowercase hex digits; others come in documents. */
const ID = /^[!#-[\]-~]+$/;

/** Whether an entry may have this id. */
export function isEntryId(text: string): boolean {
  return text.length <= MOST_ID && ID.test(text);
}

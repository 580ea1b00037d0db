/** Deeper and wider than anything our pages send. */
const MOST_LEVELS = 32;
export const MOST_VALUES = 2_000;

const SIGNS = /[[\]{},"]/g;

/**
 * How many values this JSON text has: brackets and commas outside of strings, and strings that React takes for
 * references. Infinity for more values or levels than any page sends. Builds nothing.
 */
export function valuesOf(text: string): number {
  let [values, depth] = [0, 0];
  SIGNS.lastIndex = 0;
  while (SIGNS.test(text)) {
    const at = SIGNS.lastIndex;
    const sign = text[at - 1];
    if (sign === '"') {
      if (text[at] === "$") values++;
      SIGNS.lastIndex = endOfString(text, at);
    } else if (sign === "]" || sign === "}") depth--;
    else {
      values++;
      if (sign !== ",") depth++;
    }
    if (values > MOST_VALUES || depth > MOST_LEVELS || depth < 0) return Number.POSITIVE_INFINITY;
  }
  return values;
}

/** Behind the quotation mark that ends the string. */
function endOfString(text: string, begin: number): number {
  for (let from = begin; ; ) {
    const end = text.indexOf('"', from);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\" && end - slashes > begin) slashes++;
    if (slashes % 2 === 0) return end + 1;
    from = end + 1;
  }
}

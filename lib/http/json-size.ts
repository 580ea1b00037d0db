/** Deeper and wider than anything our pages send. */
const MOST_LEVELS = 32;
export const MOST_VALUES = 2_000;

/**
 * How many values these JSON texts have: brackets and commas outside of strings, and strings that React takes for
 * references. Infinity for more levels than any page sends. Looks at each character once, and builds nothing.
 */
export function valuesOf(text: string): number {
  let [values, depth, isQuoted] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (isQuoted) {
      if (sign === 0x5c) at++;
      else if (sign === 0x22) isQuoted = false;
    } else if (sign === 0x22) {
      isQuoted = true;
      if (text.charCodeAt(at + 1) === 0x24) values++;
    } else if (sign === 0x2c) values++;
    else if (sign === 0x5b || sign === 0x7b) {
      values++;
      if (++depth > MOST_LEVELS) return Number.POSITIVE_INFINITY;
    } else if (sign === 0x5d || sign === 0x7d) depth--;
  }
  return values;
}

/** Characters of a token's or a program's name at most. */
export const NAME_LENGTH = 40;

/** Letters, marks and a symbol that look like nothing, which Unicode does not count among control characters. */
const BLANKS = /[\p{Default_Ignorable_Code_Point}\u2800]/u;

export const NAME_RULE =
  `must be 1 to ${NAME_LENGTH} printable characters, with a letter or digit, no line break and no control of the ` +
  "writing direction";

/**
 * Whether a text can be shown as the name of a program (contract, section 4: name): `NAME_LENGTH` characters at most,
 * on one line, with nothing invisible, nothing that changes the direction of writing, and no tower of accents.
 */
export function isName(text: string): boolean {
  return (
    [...text].length <= NAME_LENGTH &&
    /[\p{L}\p{N}]/u.test(text) &&
    !/[\p{C}\p{Zl}\p{Zp}]|\p{M}{3}/u.test(text) &&
    !BLANKS.test(text)
  );
}

/** Equal for names that differ only in case, or in the width or number of blanks, which a page shows as one. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/ +/g, " ");
}

/** The name itself or, if a token has it already, with the next number behind it, still within `NAME_LENGTH`. */
export function nextFreeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? "" : ` ${number}`;
    const free = [...name].slice(0, NAME_LENGTH - end.length).join("") + end;
    if (!taken.has(nameKey(free))) return free;
  }
}

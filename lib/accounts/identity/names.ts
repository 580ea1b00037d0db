import { MAX_AUDIENCE } from "@/lib/platform/bounds";

/** Characters of a token's or a program's name at most. */
export const NAME_LENGTH = 40;

/** Letters, marks and a symbol that look like nothing, which Unicode does not count among control characters. */
const BLANKS = /[\p{Default_Ignorable_Code_Point}\u2800]/u;

const ruleUpTo = (length: number) =>
  `must be 1 to ${length} printable characters, with a letter or digit, no line break and no control of the ` +
  "writing direction";
export const NAME_RULE = ruleUpTo(NAME_LENGTH);
export const AUDIENCE_RULE = `${ruleUpTo(MAX_AUDIENCE)}, and no blanks but single spaces`;

/** Whether a text can be shown as the name of a program (contract, section 4: name). */
export const isName = (text: string) => isReadable(text, NAME_LENGTH);

/**
 * Whether a text can be shown as the server to which a token proves its user (contract, section 4: audience). No other
 * has the same look for the reason that a page shows any blanks as one.
 */
export const isAudience = (text: string) => isReadable(text, MAX_AUDIENCE) && !/ {2}|(?! )\p{Zs}/u.test(text);

/** The server that has this name: a page shows any blanks of it as one. */
export const audienceNamed = (name: string) => name.replace(/\p{Zs}+/gu, " ");

/**
 * Whether a text has no more characters, stands on one line, and has nothing invisible, nothing that changes the
 * direction of writing, and no tower of accents.
 */
function isReadable(text: string, maxLength: number): boolean {
  return (
    [...text].length <= maxLength &&
    /[\p{L}\p{N}]/u.test(text) &&
    !/[\p{C}\p{Zl}\p{Zp}]|\p{M}{3}/u.test(text) &&
    !BLANKS.test(text)
  );
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The beginning of a text, of at most `NAME_LENGTH` characters, without half of what a person sees as one. */
export function shortened(text: string): string {
  if (text.length <= NAME_LENGTH) return text;
  // Each character that counts has at most two code units: what follows need not be read.
  let [short, length] = ["", 0];
  for (const { segment } of graphemes.segment(text.slice(0, 2 * NAME_LENGTH + 1))) {
    length += [...segment].length;
    if (length > NAME_LENGTH) break;
    short += segment;
  }
  return short.trim();
}

/** Equal for names that differ only in case, or in the width or number of blanks, which a page shows as one. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/ +/g, " ");
}

/** The name itself or, if a token has it already, with the next number behind it, still within `NAME_LENGTH`. */
export function nextFreeName(name: string, used: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? "" : ` ${number}`;
    const free = [...name].slice(0, NAME_LENGTH - end.length).join("") + end;
    if (!used.has(nameKey(free))) return free;
  }
}

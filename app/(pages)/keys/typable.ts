/**
 * A name as a person can type it: composed accents, one space for any run of whitespace, and no invisible characters.
 */
export function typable(name: string): string {
  return name
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim();
}

/** A name as a person can type it: accents in one piece, one blank for any run of them, and nothing that is not seen. */
export function typable(name: string): string {
  return name
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim();
}

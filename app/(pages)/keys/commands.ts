import { requestPath } from "@/lib/api/samples";

/** The command for one API request, to copy. It contains TOKEN in place of the token. */
export function shellCommand(origin: string, path: string, parameters: Record<string, string> = {}): string {
  return `curl -H "Authorization: Bearer TOKEN" "${origin}${requestPath(path, parameters)}"`;
}

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

import { csvLine } from "@/lib/csv";
import type { NewLinks } from "./create";

/** New links as CSV with a head, for a shop to hand out. */
export function claimsCsv({ links, expiresAt }: NewLinks, note: string): string {
  const lines = links.map((link, n) => csvLine([String(n + 1), link, note, expiresAt.toISOString()]));
  return csvLine(["number", "link", "note", "expires"]) + lines.join("");
}

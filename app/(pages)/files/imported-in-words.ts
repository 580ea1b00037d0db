import { entriesInWords } from "@/components/files/entry-count";
import type { Imported } from "@/lib/files/import";

/** What an import did, skipped and corrected. */
export function importedInWords({ entries, total, taken, notes }: Imported): string {
  const left = total - taken;
  const said = [`Imported: ${entriesInWords(entries)}.`];
  if (left > 0) said.push(`Skipped: ${left.toLocaleString("en")}.`);
  for (const { words, count } of notes) said.push(`${words}: ${count.toLocaleString("en")}.`);
  return said.join(" ");
}

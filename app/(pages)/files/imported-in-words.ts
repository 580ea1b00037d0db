import { entriesInWords } from "@/components/files/entry-count";
import type { Imported } from "@/lib/files/import";

/** What an import did, what it left out, and what it put right. */
export function importedInWords({ entries, total, taken, notes }: Imported): string {
  const left = total - taken;
  const said = [`Imported: ${entriesInWords(entries)}.`];
  if (left > 0) said.push(`Left out: ${left.toLocaleString("en")}.`);
  for (const { words, count } of notes) said.push(`${words}: ${count.toLocaleString("en")}.`);
  return said.join(" ");
}

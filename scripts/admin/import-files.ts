import { audit, OPERATOR } from "@/lib/audit";
import { findUser } from "@/lib/auth/users";
import { importDocument } from "@/lib/files/import";
import { EntriesRefused, type ReportedImport } from "@/lib/files/import-report";
import { readable } from "./files";
import type { Given } from "./usage";

/** Imports a document for a user. What cannot be imported is named on standard error; `--skip` leaves it out. */
export async function importFiles({ name, value, skip }: Given): Promise<object> {
  const user = await findUser(name);
  const imported = await importDocument(user, await readable(value), { leaving: skip ? "any" : "nothing" }).catch((thrown) => {
    if (!(thrown instanceof EntriesRefused)) throw thrown;
    const { total, taken } = thrown.report;
    printReport(thrown.report);
    throw new Error(`${total - taken} of ${total} entries cannot be imported. Nothing was changed. With --skip the other ${taken} are imported.`);
  });
  await audit({ at: new Date(), action: "files.import", subjectId: user.id, actorId: OPERATOR, detail: { user: user.username } });
  printReport(imported);
  const { entries, bytes, total, taken } = imported;
  return { username: user.username, entries, bytes, ...(total > taken && { skipped: total - taken }) };
}

function printReport({ total, taken, reasons, refused, notes }: ReportedImport): void {
  for (const { path, sentence } of refused) console.error(`${JSON.stringify(path)}: ${sentence}`);
  if (total - taken > refused.length) console.error(`… and ${total - taken - refused.length} more.`);
  for (const { words, count } of [...reasons, ...notes]) console.error(`${words}: ${count}`);
}

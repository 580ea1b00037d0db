import { audit, OPERATOR } from "@/lib/audit";

import { type Imported, importDocument, type Leaving } from "@/lib/files/import";
import { EntriesRefused, type ReportedImport } from "@/lib/files/import-report";
import { filesSummary } from "@/lib/files/summary";
import { findUser } from "@/lib/user";
import { withProgress } from "./progress";
import { readable } from "./readable";
import { agrees, isAtTerminal, UNCHANGED } from "./terminal";

/**
 * Imports a document for a user. Entries that cannot be imported are listed on standard error; `skip` leaves them out.
 * At a terminal, asks before replacing files, except with `yes`.
 */
export async function importFiles(
  name: string,
  file: string,
  { skip, yes }: { skip?: true; yes?: true },
): Promise<object> {
  const user = await findUser(name);
  if (!yes && isAtTerminal()) await askToReplace(user);
  const imported = await importFrom(file, user, skip ? "any" : "nothing").catch((thrown) => {
    if (!(thrown instanceof EntriesRefused)) throw thrown;
    const { total, taken } = thrown.report;
    printReport(thrown.report);
    throw new Error(
      [
        `${total - taken} of ${total} entries cannot be imported. Nothing was changed.`,
        `Use --skip to import the other ${taken}.`,
      ].join(" "),
    );
  });
  await audit({
    at: new Date(),
    action: "files.import",
    subjectId: user.id,
    actorId: OPERATOR,
    detail: { user: user.username },
  });
  printReport(imported);
  const { entries, bytes, total, taken } = imported;
  return { username: user.username, entries, bytes, ...(total > taken && { skipped: total - taken }) };
}

async function askToReplace({ id, username }: { id: string; username: string }): Promise<void> {
  const { entries } = await filesSummary(id);
  if (entries > 0 && !(await agrees(`${username} has ${entries} files and folders. Replace them all?`)))
    throw new Error(UNCHANGED);
}

function importFrom(file: string, user: { id: string; username: string }, leaving: Leaving): Promise<Imported> {
  return withProgress("Importing", async (onProgress) =>
    importDocument(user, await readable(file, onProgress), { leaving }),
  );
}

function printReport({ total, taken, reasons, refused, notes }: ReportedImport): void {
  for (const { path, sentence } of refused) console.error(`${JSON.stringify(path)}: ${sentence}`);
  if (total - taken > refused.length) console.error(`… and ${total - taken - refused.length} more.`);
  for (const { words, count } of [...reasons, ...notes]) console.error(`${words}: ${count}`);
}

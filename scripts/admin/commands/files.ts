import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { findUser } from "@/lib/accounts/identity/user";
import { EntriesRefused, type ReportedImport } from "@/lib/files/errors";
import { type Imported, importDocument, type Leaving } from "@/lib/files/import";
import { filesSummary } from "@/lib/files/list";
import { exportDocument } from "@/lib/files/read";
import { audit, OPERATOR } from "@/lib/platform/audit";
import { entriesInWords, seenOf } from "@/lib/platform/bounds";
import { plainAtTerminal } from "@/lib/platform/safe-text";
import { command, commandAction, fileAt } from "../command";
import { agrees, isAtTerminal, printMessage, UNCHANGED, withProgress } from "../terminal";

export const fileCommands = [
  command("files:import", "Replace a user's files with a document", "files:import alice files.json")
    .description(
      "Replace a user's files with a document: all of it or nothing. Asks in a terminal before replacing files.",
    )
    .argument("<name>", "The username, in upper or lower case")
    .argument("<file>", "The document, as files:export writes it; - for standard input", fileAt)
    .option("--skip", "Skip entries that cannot be imported, and list them")
    .option("--yes", "Replace files without asking")
    .action(commandAction(importFiles)),
  command("files:export", "Write the document that /read-files returns", "files:export alice >files.json")
    .argument("<name>", "The username, in upper or lower case")
    .action(
      commandAction(async (name) => {
        const { id } = await findUser(name);
        let isUnread = false;
        process.stdout.once("error", () => {
          isUnread = true;
        });
        await pipeline(plainAtTerminal(await exportDocument(id), process.stdout), process.stdout, { end: false }).catch(
          (error) => {
            throw isUnread ? new Error("The output was closed before the whole document was written.") : error;
          },
        );
        process.stdout.write("\n");
        return undefined;
      }),
    ),
];

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
  if (!yes && isAtTerminal()) await confirmReplacement(user);
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

async function confirmReplacement({ id, username }: { id: string; username: string }): Promise<void> {
  const { entries } = await filesSummary(id);
  if (seenOf(entries) > 0 && !(await agrees(`${username} has ${entriesInWords(entries)}. Replace everything?`)))
    throw new Error(UNCHANGED);
}

function importFrom(file: string, user: { id: string; username: string }, leaving: Leaving): Promise<Imported> {
  return withProgress("Importing", async (onProgress) =>
    importDocument(user, await readable(file, onProgress), { leaving }),
  );
}

function printReport({ total, taken, reasons, refused, notes }: ReportedImport): void {
  for (const { path, sentence } of refused) printMessage(`${JSON.stringify(path)}: ${sentence}`);
  if (total - taken > refused.length) printMessage(`… and ${total - taken - refused.length} more.`);
  for (const { words, count } of [...reasons, ...notes]) printMessage(`${words}: ${count}`);
}

const REASONS: Record<string, string> = {
  ENOENT: "it does not exist",
  EISDIR: "it is a folder",
  ENOTDIR: "it does not exist",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

/**
 * The bytes of a file, or of standard input for `-`. `onProgress` gets the share read so far, from 0 to 1. Throws an
 * Error if the file cannot be read.
 */
export async function readable(path: string, onProgress: (part: number) => void): Promise<AsyncIterable<Uint8Array>> {
  if (path === "-") return process.stdin;
  const file = await open(path).catch((error) => {
    throw unreadable(path, error);
  });
  const about = await file.stat();
  if (about.isDirectory()) throw unreadable(path, { code: "EISDIR" });
  return reporting(file.createReadStream({ highWaterMark: 1 << 20 }), about.size, onProgress);
}

async function* reporting(chunks: AsyncIterable<Buffer>, bytes: number, onProgress: (part: number) => void) {
  let read = 0;
  for await (const chunk of chunks) {
    read += chunk.length;
    onProgress(read / bytes);
    yield chunk;
  }
}

function unreadable(path: string, { code = "" }: NodeJS.ErrnoException | { code: string }): Error {
  return new Error(`The file ${path} cannot be read: ${REASONS[code] ?? code}.`);
}

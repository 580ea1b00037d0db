import { NotEmpty } from "@/lib/backup/errors";
import { type Consent, restoreBackup } from "@/lib/backup/restore";
import { sendBackup, writeBackup } from "@/lib/backup/write";
import { answering, command } from "../command";
import { withProgress } from "../progress";
import { agrees, isAtTerminal, UNCHANGED } from "../terminal";

export const backupCommands = [
  command("backup", "Write everything to one new file", "backup latchkey.backup")
    .description(
      "Write everything to one new file, while the service keeps running. " +
        "It can be restored into either kind of database. With - instead of a file, it goes to standard output, " +
        "and the summary to standard error.",
    )
    .argument("<file>", "The file to write, which must not exist yet; - for standard output")
    .action(
      answering(async (file) => {
        if (file === "-" && process.stdout.isTTY)
          throw new Error("A backup is not text for a terminal. Send it through a pipe, or name a file.");
        const { isRecorded, ...written } = await withProgress("Writing", (onProgress) => {
          // Counting the rows takes a while.
          const shown = process.stderr.isTTY ? onProgress : undefined;
          return file === "-" ? sendBackup(process.stdout, new Date(), shown) : writeBackup(file, new Date(), shown);
        });
        if (written.holdsSecret)
          console.error(
            "The backup contains the secret that protects all tokens, so store it as safely as the secret itself.",
          );
        if (!isRecorded)
          console.error("The backup is complete, but the database could not record when it was written.");
        if (file !== "-") return written;
        console.error(JSON.stringify(written));
        return undefined;
      }),
    ),
  command("restore", "Replace the database with a backup", "restore latchkey.backup --replace")
    .description(
      "Replace the database with a backup. Stop the service first. Asks in a terminal before replacing accounts.",
    )
    .argument("<file>", "The backup")
    .option("--replace", "Replace a database that has accounts, without asking")
    .option("--unsigned", "Accept an unsigned backup from an earlier version; it cannot be verified")
    .action(
      answering(async (file, { replace = false, unsigned = false }) => {
        const { isSigned, ...restored } = await restore(file, { replace, unsigned }).catch(async (refused) => {
          if (!(refused instanceof NotEmpty) || !isAtTerminal()) throw refused;
          if (!(await agrees("The database already has accounts. Replace them?"))) throw new Error(UNCHANGED);
          return restore(file, { replace: true, unsigned });
        });
        if (!isSigned)
          console.error("The backup is not signed, so there is no way to tell whether it has been changed.");
        return restored;
      }, "nothing"),
    ),
];

function restore(file: string, consent: Consent) {
  return withProgress("Restoring", (onProgress) => restoreBackup(file, consent, onProgress));
}

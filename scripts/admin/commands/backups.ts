import { checkPassphrase } from "@/lib/accounts/ways-in/passwords";
import { NotEmpty } from "@/lib/operator/backup/format";
import type { Consent } from "@/lib/operator/backup/restore";
import { restoreUnderOwnSecret } from "@/lib/operator/backup/restore";
import { sendBackup, writeBackup } from "@/lib/operator/backup/write";
import { secretSource } from "@/lib/platform/crypto/secret-source";
import { jsonLine } from "@/lib/platform/safe-text";
import { command, commandAction, fileAt } from "../command";
import { requirePassphrase } from "../password";
import { agrees, isAtTerminal, printMessage, UNCHANGED, withProgress } from "../terminal";

const PASSPHRASE_FILE = "Read the passphrase from this file";

export const backupCommands = [
  command("backup", "Write everything to one new file", "backup latchkey.backup")
    .description(
      "Write everything to one new file, while the service keeps running. It can be restored into either kind of " +
        "database, with the secret of this service, which is not in it. With - instead of a file, it goes to " +
        "standard output, and the summary to standard error.",
    )
    .argument("<file>", "The file to write, which must not exist yet; - for standard output", fileAt)
    .option("--open", "Allow restoring it with a passphrase, without the secret; asks for one, or reads standard input")
    .option("--passphrase-file <file>", PASSPHRASE_FILE, fileAt)
    .action(
      commandAction(async (file, { open = false, passphraseFile }) => {
        if (file === "-" && process.stdout.isTTY)
          throw new Error("A backup cannot be written to a terminal. Send it through a pipe, or name a file.");
        if (passphraseFile !== undefined && !open)
          throw new Error("--passphrase-file needs --open: any other backup is restored with the secret.");
        const passphrase = open ? await requirePassphrase("Passphrase", "new", passphraseFile) : undefined;
        if (passphrase !== undefined) await checkPassphrase(passphrase);
        const { isRecorded, ...written } = await withProgress("Writing", (progress) => {
          // Counting the rows takes a while.
          const onProgress = process.stderr.isTTY ? progress : undefined;
          const [now, options] = [new Date(), { passphrase, onProgress }];
          return file === "-" ? sendBackup(process.stdout, now, options) : writeBackup(file, now, options);
        });
        if (passphrase === undefined) printSecretLocation();
        if (!isRecorded) printMessage("The backup is complete, but the database could not record when it was written.");
        if (file !== "-") return written;
        printMessage(jsonLine(written));
        return undefined;
      }),
    ),
  command("restore", "Replace the database with a backup", "restore latchkey.backup --replace")
    .description(
      "Replace the database with a backup. Stop the service first. Asks in a terminal before replacing accounts. " +
        "Asks for the passphrase of a backup that was created with --open, if the secret here is another, and then " +
        "stores everything under the secret here.",
    )
    .argument("<file>", "The backup", fileAt)
    .option("--replace", "Replace a database that has accounts, without asking")
    .option("--passphrase-file <file>", PASSPHRASE_FILE, fileAt)
    .action(
      commandAction(async (file, { replace = false, passphraseFile }) => {
        let pending: Promise<string> | undefined;
        const passphrase = () =>
          (pending ??= requirePassphrase("Passphrase of this backup", "existing", passphraseFile));
        const consent = { replace, passphrase };
        const done = await restoring(file, consent).catch(async (refused) => {
          if (!(refused instanceof NotEmpty) || !isAtTerminal()) throw refused;
          if (!(await agrees("The database already has accounts. Replace them?"))) throw new Error(UNCHANGED);
          return restoring(file, { ...consent, replace: true });
        });
        const { isUnderOtherSecret, newTokens, ...restored } = done;
        if (isUnderOtherSecret) printMessage("Everything is now stored under the secret of this machine.");
        if (newTokens > 0)
          printMessage(
            `Damaged tokens in the backup that were replaced: ${newTokens}. ` +
              "audit --action token.rotate names their users.",
          );
        return restored;
      }, "nothing"),
    ),
];

function restoring(file: string, consent: Consent) {
  return withProgress("Restoring", (onProgress) => restoreUnderOwnSecret(file, consent, onProgress));
}

/** Nobody chose a secret that the service made itself, so its operator may not know that there is one. */
function printSecretLocation(): void {
  const { from, file } = secretSource();
  if (from !== "data folder") return;
  printMessage(
    `The backup can be restored only with the secret in ${file}, which is not in it: keep a copy of that file, apart ` +
      "from the backups. To restore on another machine, copy it into DATA_DIR there first, or create a backup " +
      "that a passphrase opens, with --open.",
  );
}

import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { EXPORT_FORMATS } from "@/lib/operator/audit/export";
import { lossOf } from "@/lib/operator/doctor/data";
import { examine, migratedBy } from "@/lib/operator/doctor/examine";
import type { Finding } from "@/lib/operator/doctor/finding";
import { whereSecretIs } from "@/lib/operator/doctor/finding";
import { RESEAL_SETTLED_MS, rotateData } from "@/lib/operator/reseal";
import { checkSecrets, rotateSecrets, rotateSigning } from "@/lib/operator/secrets";
import { MAX_DAYS, statisticsOfDays } from "@/lib/operator/statistics/view";
import { sweepAll } from "@/lib/operator/sweep";
import { durationInWords, SWEEP_EVERY_MS } from "@/lib/platform/bounds";
import { evenOnFullDisk } from "@/lib/platform/db/reserve";
import manifest from "@/package.json";
import { command, commandAction } from "../command";
import { printAudit } from "../print-audit";
import { printMessage, withProgress } from "../terminal";

const MAX_EVENTS = 10_000;

export const upkeepCommands = [
  command("audit", "Show the audit trail", "audit --user alice --since 7d --format csv >alice.csv")
    .description(
      "Show the audit trail, one line per event, newest last. Shows the newest events; with --since or " +
        "--format, everything. With --format, a last line says that it is complete, with the number of events.",
    )
    .option("--user <name>", "Only activity by this user, by operator, or by nobody (programs that are not linked yet)")
    .option("--key <id>", "Only activity on this key, which may be deleted, or on this user")
    .option("--action <name>", "Only this action, like key.create, or this group of them, like key")
    .option("--network <address>", "Only from this network")
    .option("--since <time>", "Starting from this day or time (UTC), or from 90m, 24h or 7d ago")
    .addOption(new Option("--until <time>", "Up to this day or time").conflicts("follow"))
    .addOption(new Option("--follow", "Continue with new events until interrupted"))
    .addOption(new Option("--format <name>", "For another program").choices(EXPORT_FORMATS))
    .option("--limit <n>", `Maximum number of events, up to ${MAX_EVENTS}; 100 unless everything is shown`, eventLimit)
    .action(commandAction(printAudit)),
  command("doctor", "Find problems and suggest fixes", "doctor")
    .description(
      "Check everything that is stored, report problems and suggest fixes. Exits with 1 if there are any. Also " +
        "says which version this is, which one migrated the database last, and where the secret is.",
    )
    .action(
      commandAction(async () => {
        const problems: Finding[] = [];
        for await (const finding of examine()) problems.push(finding);
        if (problems.length > 0) process.exitCode = 1;
        const ok = problems.length === 0;
        return { ok, version: manifest.version, migratedBy: await migratedBy(), secret: whereSecretIs(), problems };
      }, "nothing"),
    ),
  command("stats", "Show daily statistics", "stats --days 30")
    .description(
      "Show daily statistics (UTC): what happened, and what was stored at the end of the day. null: not measured.",
    )
    .option("--days <n>", `Number of days, up to ${MAX_DAYS}`, dayCount, 30)
    .action(
      commandAction(async ({ days }) => {
        const { countedAt, periods } = await statisticsOfDays(days);
        return { countedAt, days: periods.map(({ at, ...day }) => ({ day: at.toISOString().slice(0, 10), ...day })) };
      }, "tables"),
    ),
  command("secrets:rotate", "Re-encrypt every token and data key with the first secret", "secrets:rotate")
    .description(
      "Re-encrypt every token, the data keys, with which all data is sealed, and the signing keys with the first " +
        "of several secrets, so that the others can be removed.",
    )
    .option("--lost", "Replace tokens whose secret is lost with new ones, and give up the data sealed under it")
    .action(
      commandAction(async ({ lost = false }) => {
        if (!lost) await checkSecrets("command");
        const { lostDataKeys, ...done } = await withProgress("Re-encrypting tokens", (onProgress) =>
          rotateSecrets(lost, onProgress),
        );
        return lostDataKeys.length === 0 ? done : { ...done, lost: await lossOf(lostDataKeys) };
      }, "tables"),
    ),
  command("data:rotate", "Create a new data key and reseal everything with it", "data:rotate")
    .description(
      "Create a new data key and reseal the data of all keys and all files while the service keeps running. Takes " +
        `at least ${durationInWords(RESEAL_SETTLED_MS / 1_000)}. If it is stopped, the service continues it; so does ` +
        "the next call, without creating another key.",
    )
    .action(
      commandAction(async () => {
        const rotated = await withProgress("Sealing", (onProgress) => rotateData(onProgress));
        if (!rotated.isNew)
          printMessage(
            "This completed an earlier call or the first sealing. No new data key was created. " +
              "If the secret has leaked since, run data:rotate again.",
          );
        return rotated;
      }),
    ),
  command("signing:rotate", "Create a new key for signed responses", "signing:rotate")
    .description(
      "Create a new key that signs validators and proofs. What former keys signed stays valid until it expires. " +
        "Programs that verify offline need the new public key (/.well-known/jwks.json).",
    )
    .action(commandAction(async () => ({ signingKey: await rotateSigning() }))),
  command("sweep", "Delete expired data", "sweep")
    .description(
      "Delete expired codes, sessions, challenges, tokens, files and accounts. The service does so every " +
        `${durationInWords(SWEEP_EVERY_MS / 1_000)}.`,
    )
    .action(commandAction(() => evenOnFullDisk(() => sweepAll()))),
];

function dayCount(written: string): number {
  if (/^[1-9]\d*$/.test(written) && Number(written) <= MAX_DAYS) return Number(written);
  throw new InvalidArgumentError(`The number of days must be a whole number from 1 to ${MAX_DAYS}.`);
}

function eventLimit(written: string): number {
  if (/^[1-9]\d*$/.test(written) && Number(written) <= MAX_EVENTS) return Number(written);
  throw new InvalidArgumentError(`The limit must be a whole number from 1 to ${MAX_EVENTS}.`);
}

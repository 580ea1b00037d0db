import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { EXPORT_FORMATS } from "@/lib/operator/audit/export";
import { examine, migratedBy } from "@/lib/operator/doctor/examine";
import { type Finding, whereSecretIs } from "@/lib/operator/doctor/finding";
import { lossOf } from "@/lib/operator/doctor/sealing";
import { RESEAL_SETTLED_MS } from "@/lib/operator/reseal";
import { rotateData, rotateSecrets, rotateSigning } from "@/lib/operator/rotate";
import { checkSecrets } from "@/lib/operator/secrets";
import { MAX_DAYS, recordHours, statisticsOf } from "@/lib/operator/statistics";
import { sweepAll } from "@/lib/operator/sweep";
import { OPERATOR } from "@/lib/platform/audit";
import { durationInWords, SWEEP_EVERY_MS } from "@/lib/platform/bounds";
import { listSigningKeys, retireSigningKey } from "@/lib/platform/crypto/signing-keys";
import { evenOnFullDisk } from "@/lib/platform/db/reserve";
import { env } from "@/lib/platform/env";
import { localAddress } from "@/lib/platform/network/host";
import manifest from "@/package.json";
import { command, commandAction, wholeNumber } from "../command";
import { printAudit } from "../print-audit";
import { printJson, printMessage, withProgress } from "../terminal";

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
    .option(
      "--limit <n>",
      `Maximum number of events, up to ${MAX_EVENTS}; 100 unless everything is shown`,
      wholeNumber("The limit", MAX_EVENTS),
    )
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
  command("health", "Ask the running service whether it and its database respond", "health")
    .description(
      "Ask the service that runs on this machine, with the same HOST and PORT, whether it and its database respond. " +
        "Exits with 1 if not: for checks of containers.",
    )
    .action(async () => printJson(await askHealth())),
  command("stats", "Show daily statistics", "stats --days 30")
    .description(
      "Show daily statistics (UTC): what happened, and what was stored at the end of the day. null: not measured.",
    )
    .option("--days <n>", `Number of days, up to ${MAX_DAYS}`, wholeNumber("The number of days", MAX_DAYS), 30)
    .action(
      commandAction(async ({ days }) => {
        const now = new Date();
        const counted = { value: await recordHours(now), at: now };
        const { countedAt, periods } = await statisticsOf({ step: "day", count: days }, counted, now);
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
      "Create a new key that signs validators from now on. Proofs, which programs verify offline, are signed with " +
        "the oldest key until signing:retire, and name the new one. So every shipped program goes on, and learns it.",
    )
    .option("--dry-run", "Only say what would happen")
    .action(
      commandAction(async ({ dryRun }) => {
        const signingKey = dryRun ? ((await listSigningKeys())[0]?.number ?? 0) + 1 : await rotateSigning();
        const proofs = (await listSigningKeys()).at(-1)?.number ?? signingKey;
        const lockedOut =
          `Nobody who checks licences: proofs are signed with key ${proofs}, and say that key ${signingKey} follows. ` +
          "Give /.well-known/jwks.json to what you ship from now on, and to servers that verify validators with a " +
          "copy of it and never fetch it again. To end a former key: signing:retire.";
        return { signingKey, proofs, lockedOut };
      }),
    ),
  command("signing:retire", "End a former key of signed responses", "signing:retire 1 --dry-run")
    .description("End a former signing key: what it signed is invalid. With --dry-run, say whom this locks out.")
    .argument("<number>", "Its number", signingKeyNumber)
    .option("--dry-run", "Only say whom it locks out")
    .action(
      commandAction(async (number, { dryRun }) => {
        const keys = await listSigningKeys();
        const at = keys.findIndex((key) => key.number === number);
        const next = keys[at - 1];
        if (!next)
          throw new Error(`No former signing key has this number. There are ${keys.map((key) => key.number)}.`);
        if (!dryRun) await retireSigningKey(number, OPERATOR);
        const proofs = at === keys.length - 1 ? next.number : keys.at(-1)?.number;
        return { retired: number, proofs, lockedOut: lockedOutBy(number, next) };
      }),
    ),
  command("sweep", "Delete expired data", "sweep")
    .description(
      "Delete expired codes, sessions, challenges, tokens, files and accounts. The service does so every " +
        `${durationInWords(SWEEP_EVERY_MS / 1_000)}.`,
    )
    .action(commandAction(() => evenOnFullDisk(() => sweepAll()))),
];

const CHECK_MS = 4_000;

async function askHealth(): Promise<object> {
  const address = `${localAddress(env.PORT)}/health`;
  const response = await fetch(address, { signal: AbortSignal.timeout(CHECK_MS) }).catch(({ cause, name }) => {
    throw new Error(`${address} does not respond (${cause?.code ?? name}).`);
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? `${address} responds with ${response.status}.`);
  return answer;
}

function lockedOutBy(number: number, next: { number: number; createdAt: Date }): string {
  const since = next.createdAt.toISOString().slice(0, 10);
  return (
    `Until they get a new /.well-known/jwks.json, programs that have only key ${number}: those that were not online ` +
    `since key ${next.number} was created on ${since}, and those that learn no keys, with an older client or another ` +
    "JWT library. Processes of the service notice within a minute."
  );
}

function signingKeyNumber(written: string): number {
  if (/^[1-9]\d{0,8}$/.test(written)) return Number(written);
  throw new InvalidArgumentError("It must be a whole number from 1.");
}

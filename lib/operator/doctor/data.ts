import { passkeyHost } from "@/lib/accounts/identity/relying-party";
import type { MailFacts } from "@/lib/accounts/ways-in/mail/letters";
import { hasMail, tryServer } from "@/lib/accounts/ways-in/mail/transport";
import { RETENTION_MS } from "@/lib/keys/claims/sweep";
import { damagedKeys } from "@/lib/keys/examine";
import { counted, durationInWords, GIVE_UP_MS } from "@/lib/platform/bounds";
import { openableDataKeys } from "@/lib/platform/crypto/data-keys";
import { dataKeys } from "@/lib/platform/crypto/queries";
import { lostSigningKeys } from "@/lib/platform/crypto/signing-keys";
import { damagedUserKeys } from "@/lib/platform/crypto/user-keys";
import { db, sql } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { HOUR_MS } from "@/lib/platform/time";
import { creatorsWithout, keysUnder, unsealed, usersWithFilesUnder } from "../queries";
import { type Fault, first, forgotten, MAX_PER_KIND, SWEEP_ADVICE, SWEPT_WITHIN_MS } from "./finding";

/** What is sealed under data keys that no secret opens. */
interface Loss {
  /** Keys whose data cannot be read. */
  keys: number;
  /** Users whose files cannot be read. */
  usersWithFiles: number;
  advice: string;
}

/** How much cannot be read without these data keys. */
export async function lossOf(lostDataKeys: readonly number[]): Promise<Loss> {
  const [keys] = await sql.read(keysUnder(lostDataKeys));
  const [users] = await sql.read(usersWithFilesUnder(lostDataKeys));
  const advice =
    "Nobody can read this unless the former secret is found. If you find it, put it behind the new one, restart, " +
    "and run secrets:rotate.";
  return { keys: keys?.count ?? 0, usersWithFiles: users?.count ?? 0, advice };
}

/** Keys that seal or sign and do not open, key data that does not, and what is not sealed as it should be. */
export async function* sealing(now: Date): AsyncGenerator<Fault> {
  const { lost } = await openableDataKeys();
  if (lost.length > 0) {
    const { keys, usersWithFiles, advice } = await lossOf(lost);
    yield {
      problem:
        `No secret opens the data keys ${lost}: the data of ${counted(keys, "key", "keys")}, ` +
        `files of ${counted(usersWithFiles, "user", "users")}.`,
      advice,
    };
  }
  const signing = await lostSigningKeys();
  if (signing.lost.length > 0)
    yield {
      problem:
        `No secret opens the signing keys ${signing.lost}, or they were changed: ` +
        `${signing.isNewest ? "nothing can be signed." : "what they signed is no longer recognised."}`,
      advice: signing.isNewest
        ? "Put the former secret behind the new one, or run signing:rotate to create another key."
        : "Put the former secret behind the new one, or end them with signing:retire.",
    };
  yield* notSealed(now);
  for await (const { userId, number } of first(MAX_PER_KIND, damagedUserKeys(lost)))
    yield {
      problem: `The key ${number} of ${await nameOf(userId)}, which opens what the user stored, is damaged.`,
      advice: "Restore a backup. To protect what the user stores from now on, run data:rotate.",
    };
  for await (const { id, creatorId, problem } of first(MAX_PER_KIND, damagedKeys()))
    yield {
      problem: `${problem} This is the key ${id} of ${await nameOf(creatorId)}.`,
      advice: "Restore a backup, or have the creator set the key's data again.",
    };
}

async function* notSealed(now: Date): AsyncGenerator<Fault> {
  const [clear] = await sql.read(unsealed());
  const [newest] = await sql.read(dataKeys());
  const keys = clear?.keys ?? 0;
  const pieces = env.SEAL_FILES ? (clear?.pieces ?? 0) : 0;
  if (keys + pieces > 0)
    yield {
      problem:
        `The data of ${counted(keys, "key", "keys")} and ${counted(pieces, "piece of a file", "pieces of files")} ` +
        `are not sealed yet. ${await howFar()}`,
      advice: newest?.resealedAt
        ? "An earlier version of the service, or something else, wrote them. Run data:rotate."
        : "The service seals them while it runs. You can also run data:rotate.",
    };
  else if (newest && !newest.resealedAt && newest.createdAt.getTime() < now.getTime() - SWEPT_WITHIN_MS)
    yield {
      check: "sweep",
      problem: `Not everything that was stored under a former data key has been resealed. ${await howFar()}`,
      advice: `${SWEEP_ADVICE} Or run data:rotate, which continues the work.`,
    };
}

/** How far the service has come, in users. */
async function howFar(): Promise<string> {
  const [newest] = await sql.read(dataKeys());
  if (!newest || newest.resealedAt) return "";
  const users = await db.user.count();
  const done = newest.passes > 0 ? users : await db.user.count({ where: { id: { lte: newest.resealedTo } } });
  return `${done.toLocaleString("en")} of ${counted(users, "user", "users")} done.`;
}

/** The user's name, or the id of one who is gone. */
export async function nameOf(userId: string): Promise<string> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { username: true } });
  return user?.username ?? userId;
}

/** Claim links that should have been deleted, and keys that their creators do not hold. */
export async function* keys(now: Date): AsyncGenerator<Fault> {
  const overdue = new Date(now.getTime() - RETENTION_MS - SWEPT_WITHIN_MS);
  const batches = await db.claimBatch.count({ where: { expiresAt: { lt: overdue } } });
  yield* forgotten(batches, ["batch of claim links", "batches of claim links"]);
  const [without] = await sql.read(creatorsWithout());
  if (without && without.keys > 0)
    yield {
      problem: `${counted(without.keys, "key is", "keys are")} not held by the creator, or only until an end date.`,
      advice: "The database was changed by something else. Have each creator offer the key to another user, and back.",
    };
}

/** Passkeys of another host, which no browser offers here: the service was moved, or NEXTAUTH_URL is wrong. */
export async function* passkeys(): AsyncGenerator<Fault> {
  const here = passkeyHost();
  const hosts = await db.passkey.groupBy({
    by: ["host"],
    where: here === null ? {} : { host: { not: here } },
    _count: true,
    orderBy: { host: "asc" },
    take: MAX_PER_KIND,
  });
  const where = here === null ? "here" : `at ${here}`;
  for (const { host, _count } of hosts)
    yield {
      problem: `${counted(_count, "passkey belongs", "passkeys belong")} to ${host} and cannot be used ${where}.`,
      advice:
        `If people should open the service at https://${host}, set NEXTAUTH_URL to that. If it has moved, users sign ` +
        "in with a password and add new passkeys; set a password for those who have none with user:password.",
    };
}

/** Whether the mail server takes messages, and whether some wait for it. */
export async function* mail(now: Date): AsyncGenerator<Fault> {
  if (!hasMail()) {
    const addresses = await db.emailAddress.count({ where: { address: { not: null } } });
    if (addresses > 0)
      yield {
        problem: `${counted(addresses, "e-mail address is", "e-mail addresses are")} stored, but SMTP_URL is not set.`,
        advice: "Set SMTP_URL and MAIL_FROM. Until then, these users get no recovery links and no notices.",
      };
    return;
  }
  const problem = await tryServer();
  if (problem?.code === "EAUTH")
    yield {
      problem: `The mail server in SMTP_URL refuses the login (${problem.response ?? problem.code}).`,
      advice: "Check the user and the password in SMTP_URL; special characters are percent-encoded.",
    };
  else if (problem)
    yield {
      problem: `The mail server in SMTP_URL cannot be used (${problem.response ?? problem.code}).`,
      advice: "Check its host and port, and how it uses TLS: smtps:// from the start, smtp:// after STARTTLS.",
    };
  const refused = await db.mail.findFirst({ where: { attempts: { gt: 0 } }, orderBy: { nextAt: "desc" } });
  const { refusal }: MailFacts = JSON.parse(refused?.facts ?? "{}");
  if (!problem && refusal)
    yield {
      problem: `The mail server in SMTP_URL did not take a message (${refusal}).`,
      advice: "Its administrator knows why. Messages are greeted and sent in the name of NEXTAUTH_URL and MAIL_FROM.",
    };
  const waiting = await db.mail.count({ where: { createdAt: { lt: new Date(now.getTime() - HOUR_MS) } } });
  if (waiting > 0)
    yield {
      problem:
        `${counted(waiting, "message has", "messages have")} waited for more than ` +
        `${durationInWords(HOUR_MS / 1_000)}.`,
      advice: `The log says why. They are tried again for ${durationInWords(GIVE_UP_MS / 1_000)}.`,
    };
}

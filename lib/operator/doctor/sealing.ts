import { damagedKeys } from "@/lib/keys/examine";
import { counted } from "@/lib/platform/bounds";
import { openableDataKeys } from "@/lib/platform/crypto/data-keys";
import { dataKeys } from "@/lib/platform/crypto/queries";
import { lostSigningKeys } from "@/lib/platform/crypto/signing-keys";
import { damagedUserKeys } from "@/lib/platform/crypto/user-keys";
import { db, sql } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { keysUnder, unsealed, usersWithFilesUnder } from "../queries";
import { type Fault, first, MAX_PER_KIND, SWEEP_ADVICE, SWEPT_WITHIN_MS } from "./finding";

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

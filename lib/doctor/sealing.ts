import { db, sql } from "@/lib/db/client";
import { env } from "@/lib/env";
import { damagedKeys } from "@/lib/keys/resealing/check";
import { damagedUserKeys } from "@/lib/sealing/check";
import { openableDataKeys } from "@/lib/sealing/rotate";
import { dataKeys } from "@/lib/sealing/rows";
import { type Finding, SWEEP_ADVICE, SWEPT_WITHIN_MS } from "./finding";
import { keysUnder, unsealed, usersWithFilesUnder } from "./rows";

/** Findings per kind; more would add nothing. */
const MOST = 20;

/** What is sealed under data keys that no secret opens. */
export interface Loss {
  /** Keys whose data cannot be read. */
  keys: number;
  /** Users whose files cannot be read. */
  usersWithFiles: number;
  advice: string;
}

/** How much cannot be read without these data keys. */
export async function lossOf(lost: readonly number[]): Promise<Loss> {
  const [keys] = await sql.read(keysUnder(lost));
  const [users] = await sql.read(usersWithFilesUnder(lost));
  const advice =
    "Nobody can read this any more, unless the former secret is found: then put it behind the new one, restart, and " +
    "run secrets:rotate.";
  return { keys: keys?.count ?? 0, usersWithFiles: users?.count ?? 0, advice };
}

/** Keys that seal and do not open, key data that does not, and what is not sealed as it should be. */
export async function* sealing(now: Date): AsyncGenerator<Finding> {
  const { lost } = await openableDataKeys();
  if (lost.length > 0) {
    const { keys, usersWithFiles, advice } = await lossOf(lost);
    yield {
      check: "sealing",
      problem: `No secret opens the data keys ${lost}: the data of ${keys} keys, files of ${usersWithFiles} users.`,
      advice,
    };
  }
  yield* notSealed(now);
  let found = 0;
  for await (const { userId, number } of damagedUserKeys(lost)) {
    if (++found > MOST) break;
    yield {
      check: "sealing",
      problem: `The key ${number} of ${await nameOf(userId)}, which opens what the user stored, is damaged.`,
      advice: "Restore a backup. For what the user stores from now on, run data:rotate.",
    };
  }
  found = 0;
  for await (const { id, creatorId, problem } of damagedKeys()) {
    if (++found > MOST) return;
    yield {
      check: "sealing",
      problem: `${problem} This is the key ${id} of ${await nameOf(creatorId)}.`,
      advice: "Restore a backup, or have the creator set the key's data anew.",
    };
  }
}

async function* notSealed(now: Date): AsyncGenerator<Finding> {
  const [clear] = await sql.read(unsealed());
  const [newest] = await sql.read(dataKeys());
  const keys = clear?.keys ?? 0;
  const pieces = env.SEAL_FILES ? (clear?.pieces ?? 0) : 0;
  if (keys + pieces > 0)
    yield {
      check: "sealing",
      problem: `The data of ${keys} keys and ${pieces} pieces of files are not sealed yet. ${await howFar()}`,
      advice: newest?.resealedAt
        ? "A former version of the service, or something else, wrote them. Run data:rotate."
        : "The service seals them, from its start. data:rotate does, too.",
    };
  else if (newest && !newest.resealedAt && newest.createdAt.getTime() < now.getTime() - SWEPT_WITHIN_MS)
    yield {
      check: "sweep",
      problem: `What was stored under a former data key has not all been sealed anew. ${await howFar()}`,
      advice: `${SWEEP_ADVICE} Or run data:rotate, which continues.`,
    };
}

/** How far the service has come, in users. */
async function howFar(): Promise<string> {
  const [newest] = await sql.read(dataKeys());
  if (!newest || newest.resealedAt) return "";
  const users = await db.user.count();
  const done = newest.passes > 0 ? users : await db.user.count({ where: { id: { lte: newest.resealedTo } } });
  return `Of ${users} users, ${done} are done.`;
}

async function nameOf(userId: string): Promise<string> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { username: true } });
  return user?.username ?? userId;
}

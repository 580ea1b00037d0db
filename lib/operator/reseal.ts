import { resealFiles } from "@/lib/files/reseal";
import { resealKeys } from "@/lib/keys/reseal";
import { currentDataKey, type DataKey, dataKey } from "@/lib/platform/crypto/data-keys";
import {
  dataKeys,
  endPass,
  endResealing,
  type ResealingProgress,
  removeFormer,
  resealedTo,
} from "@/lib/platform/crypto/queries";
import { renewKeys, rewrapFormer } from "@/lib/platform/crypto/user-keys";
import { sql } from "@/lib/platform/db/client";
import { emptyWriteAheadLog } from "@/lib/platform/db/free-space";
import { despiteDeletions } from "@/lib/platform/db/lock";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { lastOfNext, usersStoring } from "./queries";

/** Users per step. */
const USERS_AT_ONCE = 200;
/**
 * A process knows for a minute which key of a user is the newest, and what it has just sealed may be stored somewhat
 * later. After this time, a second pass finds that.
 */
export const RESEAL_SETTLED_MS = 120_000;
/** Passes over all users. */
export const PASSES = 2;

/** How much was sealed, and whether more is to do: at once, or only once what others still do has settled. */
interface SealedSoFar {
  keys: number;
  pieces: number;
  left: "much" | "later" | "nothing";
}

/**
 * Seals what is not sealed with the current data key: everything that is in the clear, and everything that is sealed
 * with keys under a former one, which is removed then. In steps, each of which others may follow: it may be stopped
 * anywhere, run by several processes, and be continued. Ends after about `longestMs`.
 */
export async function resealAll(longestMs: number): Promise<SealedSoFar> {
  const until = performance.now() + longestMs;
  const done: SealedSoFar = { ...NOTHING, left: "much" };
  for (; done.left === "much" && performance.now() < until; await turnOfOthers()) {
    const step = await despiteDeletions(resealSome);
    done.keys += step.keys;
    done.pieces += step.pieces;
    done.left = step.left;
  }
  return done;
}

const NOTHING = { keys: 0, pieces: 0 };

async function resealSome(): Promise<SealedSoFar> {
  await currentDataKey();
  const [newest] = await sql.read(dataKeys());
  if (!newest || newest.resealedAt) return { ...NOTHING, left: "nothing" };
  if (newest.passes >= PASSES) return end(newest.id);
  const settled = new Date(Date.now() - RESEAL_SETTLED_MS);
  if (newest.passes > 0 && newest.createdAt > settled) return { ...NOTHING, left: "later" };
  const [next] = await sql.read(lastOfNext(newest.resealedTo, USERS_AT_ONCE));
  const to = next?.id ?? null;
  if (to === null) {
    await sql.batch([endPass(newest)]);
    return { ...NOTHING, left: "much" };
  }
  const key = await dataKey(newest.id);
  if (!key) throw new Error(`None of the secrets opens the data key ${newest.id}.`);
  const under = { id: newest.id, key };
  const sealed = await resealUsers(newest, to, { under, settled: newest.passes > 0 ? settled : undefined });
  if (sealed === null) return { ...NOTHING, left: "later" };
  await sql.batch([resealedTo(newest, to)]);
  return { ...sealed, left: "much" };
}

/** Null if, in a later pass, one of them has a new key only since a moment ago: others may not know it yet. */
async function resealUsers(
  { resealedTo: after }: ResealingProgress,
  to: string,
  { under, settled }: { under: DataKey; settled: Date | undefined },
): Promise<typeof NOTHING | null> {
  const users = await sql.read(usersStoring(after, to));
  const keys = await renewKeys(
    users.map(({ id }) => id),
    under,
  );
  for (const { current, currentSince } of keys.values())
    if (settled && current.number > 1 && currentSince > settled) return null;
  const sealed = { ...NOTHING, keys: await resealKeys(keys, after, to) };
  for (const { id, hasFiles } of users) {
    const current = hasFiles > 0 && keys.get(id)?.current;
    if (current) sealed.pieces += await resealFiles(id, current);
  }
  await rewrapFormer(keys, under);
  return sealed;
}

/** Everything is sealed with keys under this data key. */
async function end(id: number): Promise<SealedSoFar> {
  await sql.batch([removeFormer(id)]);
  await sql.batch([endResealing(id, new Date())]);
  await emptyWriteAheadLog();
  return { ...NOTHING, left: "nothing" };
}

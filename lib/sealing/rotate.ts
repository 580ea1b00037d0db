import { auditEvents, OPERATOR, SERVICE } from "@/lib/audit";
import { sql } from "@/lib/db/client";
import { forgetDataKeys, newKeyBytes, unwrapDataKey, wrapDataKey } from "./data-keys";
import { addDataKey, dataKeys, newestDataKey, rewrapDataKey } from "./rows";

/**
 * Makes the data key that follows the one with this id, unless another process just has. Returns whether it was made
 * here.
 */
export async function addDataKeyAfter(id: number, now: Date): Promise<boolean> {
  const next = id + 1;
  const event = { at: now, action: "data.rotate", subjectId: SERVICE, actorId: OPERATOR } as const;
  const isNew = await sql.write(async (tx) => {
    const made = await tx.write(addDataKey(next, wrapDataKey(next, newKeyBytes()), now));
    if (made > 0) await tx.write(auditEvents({ ...event, detail: { which: String(next) } }));
    return made > 0;
  });
  forgetDataKeys();
  return isNew;
}

/** The ids of data keys that some secret opens, and of those that none does. */
export async function openableDataKeys(): Promise<{ open: number[]; lost: number[] }> {
  const ids: { open: number[]; lost: number[] } = { open: [], lost: [] };
  for (const row of await sql.read(dataKeys())) (unwrapped(row) ? ids.open : ids.lost).push(row.id);
  return ids;
}

/** Whether a secret opens the data key that is in use: true if there is none yet. */
export async function opensNewestDataKey(): Promise<boolean> {
  const [newest] = await sql.read(newestDataKey());
  return !newest || unwrapped(newest) !== undefined;
}

/**
 * Stores the data keys under the first secret; what they seal stays as it is. If no secret opens the newest one, it is
 * an Error, or with `acceptLoss` a new one is made, so that users can store something again. Those that no secret opens
 * stay as they are: with their secret they open again. Returns the ids of both.
 */
export async function rotateDataKeys(acceptLoss: boolean, now: Date): Promise<{ open: number[]; lost: number[] }> {
  const { open, lost } = await openableDataKeys();
  const newest = Math.max(0, ...open, ...lost);
  if (lost.includes(newest) && !acceptLoss)
    throw new Error(`None of the secrets opens the data key ${newest}, with which everything is sealed.`);
  for (const row of await sql.read(dataKeys())) {
    const bytes = unwrapped(row);
    if (bytes) await sql.batch([rewrapDataKey(row.id, wrapDataKey(row.id, bytes))]);
  }
  if (lost.includes(newest)) await addDataKeyAfter(newest, now);
  forgetDataKeys();
  return { open, lost };
}

function unwrapped(row: { id: number; wrapped: Uint8Array }): Buffer | undefined {
  try {
    return unwrapDataKey(row);
  } catch {
    return undefined;
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { Mutex } from "async-mutex";
import { requireFreeSpace } from "@/lib/db/free-space";
import { evenOnFullDisk } from "@/lib/db/reserve";
import { ApiError } from "@/lib/errors";
import { perProcess } from "@/lib/per-process";
import type { FileOwner } from "../document/entry";
import { beginDraft, giveUp } from "./draft";
import { PlannedChange } from "./planned-change";

/** How often a change is retried because another process changed the document concurrently. */
const MOST_ATTEMPTS = 20;

/** Waiting changes per user. */
const MOST_WAITING = 100;

/** One change at a time of each user's document. */
const turns = perProcess("changes of files", () => new Map<string, { mutex: Mutex; waiting: number }>());

/**
 * Changes the user's document in one step: `plan` reads the newest version and plans the change, which becomes one new
 * version or nothing. Concurrent changes run one after the other; `plan` is rerun on the result of the other. Throws
 * what `plan` throws, 403 `files_limit`, 507 `storage_full`, 429 `too_many_changes`, and 409 `changed_meanwhile` if
 * others were always faster.
 */
export async function changeDocument<T>(
  user: FileOwner,
  now: Date,
  plan: (change: PlannedChange) => Promise<T>,
): Promise<T> {
  await requireFreeSpace();
  return change(user, now, plan);
}

/** The same for changes that free space: they need a little themselves, which is reserved for them. */
export const changeOnFullDisk: typeof changeDocument = (...of) => evenOnFullDisk(() => change(...of));

function change<T>(user: FileOwner, now: Date, plan: (change: PlannedChange) => Promise<T>): Promise<T> {
  return inTurn(user.id, async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        const change = await PlannedChange.begin(user, now);
        const result = await plan(change);
        if (!change.isEmpty) await publish(change);
        return result;
      } catch (error) {
        if (attempt === MOST_ATTEMPTS || !(error instanceof ApiError) || error.code !== "changed_meanwhile")
          throw error;
        await sleep(Math.random() * 20 * attempt);
      }
    }
  });
}

async function publish(change: PlannedChange): Promise<void> {
  const draft = await beginDraft(change.user.id);
  try {
    await change.publish(draft);
  } catch (error) {
    await giveUp(draft);
    throw error;
  }
}

async function inTurn<T>(userId: string, work: () => Promise<T>): Promise<T> {
  const turn = turns.get(userId) ?? { mutex: new Mutex(), waiting: 0 };
  turns.set(userId, turn);
  if (turn.waiting > MOST_WAITING) throw tooManyChanges();
  turn.waiting++;
  try {
    return await turn.mutex.runExclusive(work);
  } finally {
    turn.waiting--;
    if (turn.waiting === 0) turns.delete(userId);
  }
}

const tooManyChanges = () =>
  new ApiError(
    429,
    "too_many_changes",
    "Too many changes to your files are waiting. Nothing was changed; try again in a moment.",
    {
      "Retry-After": "2",
    },
  );

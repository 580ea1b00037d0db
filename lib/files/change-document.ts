import { setTimeout as sleep } from "node:timers/promises";
import { Mutex } from "async-mutex";
import { ApiError } from "@/lib/errors";
import { DocumentChange, type FileOwner } from "./document-change";
import { beginDraft } from "./draft";
import { giveUp } from "./give-up";
import { leaveRoom } from "./room";

/** How often a change is made again because another process changed the document at the same time. */
const MOST_ATTEMPTS = 20;

/** Changes of one user that wait for their turn. */
const MOST_WAITING = 100;

/** One change at a time of each user's document in this process, not in each copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyFileTurns?: Map<string, { mutex: Mutex; waiting: number }> };

/**
 * Changes the user's document in one step: `plan` looks at the newest version and says what is to be done, and all of that is
 * one new version, or nothing happens. Two that change it at once do so one after the other; `plan` is run again on what
 * the other left. Throws what `plan` throws, 403 `files_limit`, 507 `storage_full`, 429 `too_many_changes`, and 409
 * `changed_meanwhile` where others were always faster.
 */
export async function changeDocument<T>(user: FileOwner, now: Date, plan: (change: DocumentChange) => Promise<T>): Promise<T> {
  await leaveRoom();
  return changeOnFullDisk(user, now, plan);
}

/** The same for what makes room: it needs a little itself, which is kept free for that. */
export function changeOnFullDisk<T>(user: FileOwner, now: Date, plan: (change: DocumentChange) => Promise<T>): Promise<T> {
  return inTurn(user.id, async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        const change = await DocumentChange.begin(user, now);
        const result = await plan(change);
        if (!change.isEmpty) await publish(change);
        return result;
      } catch (error) {
        if (attempt === MOST_ATTEMPTS || !(error instanceof ApiError) || error.code !== "changed_meanwhile") throw error;
        await sleep(Math.random() * 20 * attempt);
      }
    }
  });
}

async function publish(change: DocumentChange): Promise<void> {
  const draft = await beginDraft(change.user.id);
  try {
    await change.publish(draft);
  } catch (error) {
    await giveUp(draft);
    throw error;
  }
}

async function inTurn<T>(userId: string, work: () => Promise<T>): Promise<T> {
  perProcess.latchkeyFileTurns ??= new Map();
  const turns = perProcess.latchkeyFileTurns;
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
  new ApiError(429, "too_many_changes", "Too many changes of your files wait for one another. Nothing was changed; try again in a moment.", {
    "Retry-After": "2",
  });

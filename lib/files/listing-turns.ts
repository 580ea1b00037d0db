import { Mutex } from "async-mutex";
import { ApiError } from "@/lib/errors";

/** Listings of one user that wait for their turn. */
const MOST_WAITING = 8;

interface Turn {
  mutex: Mutex;
  waiting: number;
}

/** In this process, not in each copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyListings?: Map<string, Turn> };

/**
 * One listing at a time of each user's: who asks for many at once waits for his own, and nobody else does. Throws 429
 * `too_many_listings`, or the signal's reason where nobody waits for it any more.
 */
export async function inListingTurn<T>(userId: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  perProcess.latchkeyListings ??= new Map();
  const turns = perProcess.latchkeyListings;
  const turn = turns.get(userId) ?? { mutex: new Mutex(), waiting: 0 };
  turns.set(userId, turn);
  if (turn.waiting > MOST_WAITING) throw tooManyListings();
  turn.waiting++;
  try {
    return await turn.mutex.runExclusive(() => {
      signal?.throwIfAborted();
      return work();
    });
  } finally {
    turn.waiting--;
    if (turn.waiting === 0) turns.delete(userId);
  }
}

const tooManyListings = () =>
  new ApiError(429, "too_many_listings", "You have this page open too often at this moment. Wait a second and load it again.", { "Retry-After": "1" });

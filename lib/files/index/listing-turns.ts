import { Mutex } from "async-mutex";
import { ApiError } from "@/lib/errors";
import { perProcess } from "@/lib/per-process";

/** Waiting listings per user. */
const MOST_WAITING = 8;

interface Turn {
  mutex: Mutex;
  waiting: number;
}

const turns = perProcess("listings", () => new Map<string, Turn>());

/**
 * One listing at a time per user: a user with many concurrent requests waits, and nobody else does. Throws 429
 * `too_many_listings`, or the signal's reason if the client has disconnected.
 */
export async function inListingTurn<T>(
  userId: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
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
  new ApiError(
    429,
    "too_many_listings",
    "You have this page open too many times right now. Wait a second and reload it.",
    { "Retry-After": "1" },
  );

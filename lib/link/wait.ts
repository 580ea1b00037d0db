import type { Network } from "@/lib/network";
import { findAsked } from "./asked-link";
import type { Approver, AskedLink } from "./rows";
import { nextEnd } from "./states";
import { addWaiter, areWaitsOver, stateOf, type Waiter } from "./waiters";

/** Longer waits are cut by common proxies and clients. */
export const LONGEST_WAIT_SECONDS = 25;

/** A program's wish to be answered only when there is something new. */
export interface Wait {
  seconds: number;
  /** Aborted when the client disconnects. */
  gone: AbortSignal;
  /** Set here: the answer is new, or as late as the program wished. */
  isHonoured: boolean;
}

/** What a program is told of a code. */
export interface CodeAnswer<Answer> {
  answer: Answer | null;
  /** Waiting would not change the answer. */
  isFinal: boolean;
}

/** A code that a program waits for. */
interface Awaited {
  codeHash: string;
  /** Undefined if there is no such code. */
  linkId: string | undefined;
  network: Network;
}

type Found = { link?: AskedLink; user?: Approver };

/**
 * Calls `look` with a code's link now, after each change, and at the end, until its outcome is final or the time is
 * over. Returns the last outcome, or null if too many are waiting or the client has disconnected. Holds no connection
 * to the database meanwhile.
 */
export async function waitForChange<Answer>(
  { codeHash, linkId, network }: Awaited,
  wait: Wait,
  look: (found: Found, now: Date) => Promise<CodeAnswer<Answer>>,
): Promise<CodeAnswer<Answer> | null> {
  const waiter: Waiter = { isChanged: false, seen: "", wake: () => {} };
  const leave = addWaiter(waiter, network, linkId);
  if (!leave) return null;
  const until = performance.now() + wait.seconds * 1_000;
  try {
    while (!wait.gone.aborted) {
      const isLate = performance.now() >= until;
      waiter.isChanged = false;
      const found = await findAsked(codeHash);
      const now = new Date();
      waiter.seen = stateOf(found.link, found.user?.id);
      const outcome = await look(found, now);
      wait.isHonoured = outcome.isFinal || isLate;
      if (wait.isHonoured || areWaitsOver()) return outcome;
      const left = until - performance.now();
      const end = found.link && nextEnd(found.link, now);
      await untilChanged(waiter, end ? Math.min(left, end.getTime() - now.getTime()) : left, wait.gone);
    }
    return null;
  } finally {
    leave();
  }
}

/** Resolves when the waiter is woken, the client disconnects, or so many milliseconds are over. */
function untilChanged(waiter: Waiter, ms: number, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      gone.removeEventListener("abort", wake);
      resolve();
    };
    // A timer drops fractions of a millisecond, those of its start too. Fired early, it would cost one more look.
    const timer = setTimeout(wake, Math.max(0, Math.ceil(ms)) + 1);
    gone.addEventListener("abort", wake);
    waiter.wake = wake;
    if (waiter.isChanged || gone.aborted) wake();
  });
}

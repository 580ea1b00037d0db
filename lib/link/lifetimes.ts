// Contract, section 4: life, collecting, letters.
export const APPROVE_WITHIN_SECONDS = 10 * 60;
export const COLLECT_WITHIN_SECONDS = 5 * 60;
export const ASK_AGAIN_WITHIN_SECONDS = 10;
export const REUSE_AFTER_SECONDS = 30 * 24 * 60 * 60;
/** What is kept of a code that nobody approved, from its end on. */
export const UNAPPROVED_KEPT_SECONDS = 60 * 60;
/** The poll interval that programs are told. */
export const POLL_INTERVAL_SECONDS = 2;

export function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}

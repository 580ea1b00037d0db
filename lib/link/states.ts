import type { Prisma } from "@/lib/platform/db/client";
import { isLasting, isRecent, lasting, latestNow, within } from "@/lib/platform/time";
import type { LinkCode } from "@/prisma/generated/sqlite/client";

// Contract, section 4: life, collecting, letters.
export const APPROVE_WITHIN_SECONDS = 10 * 60;
export const COLLECT_WITHIN_SECONDS = 5 * 60;
export const REPEAT_WITHIN_SECONDS = 10;
export const REUSE_AFTER_SECONDS = 30 * 24 * 60 * 60;
/** How long a code that nobody approved is stored, from its end on. */
export const UNAPPROVED_RETENTION_SECONDS = 60 * 60;
/** How long it is stored who asked for a code: longer than it lives and its approver views the page. */
export const QUESTION_RETENTION_SECONDS = 60 * 60;
/** The poll interval that programs get. */
export const POLL_INTERVAL_SECONDS = 2;

export function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}

const COLLECT_MS = COLLECT_WITHIN_SECONDS * 1_000;
const REPEAT_MS = REPEAT_WITHIN_SECONDS * 1_000;

/**
 * The stored states of a request (contract, section 4: states). Expiry stores nothing: a request that was not decided
 * or collected in time keeps its state; its times say that it is over.
 */
export const STORED_STATES = ["pending", "approved", "denied", "collected"] as const;
type StoredState = (typeof STORED_STATES)[number];

type Where = Prisma.LinkCodeWhereInput & { status: StoredState };

// Each check of a request in memory is next to the same check as a database condition. All have two ends: a request
// from before the clock was set back is over.

/** When a request began, and until when it can be decided: another version may give codes another life. */
type Decidable = Pick<LinkCode, "createdAt" | "expiresAt">;

/** Whether a user may still decide. */
export const isDecidable = ({ status, ...times }: Decidable & Pick<LinkCode, "status">, now: Date) =>
  status === "pending" && isInTime(times, now);
export const decidableAt = (now: Date): Where => ({
  status: "pending",
  createdAt: { lte: latestNow(now) },
  expiresAt: { gt: now },
});

/** Whether the time to decide is not over, whatever was decided. */
export const isInTime = ({ createdAt, expiresAt }: Decidable, now: Date) =>
  createdAt <= latestNow(now) && expiresAt > now;

/** Whether it is approved, and its program may still collect the token. */
export const isAwaited = ({ status, collectBy }: Pick<LinkCode, "status" | "collectBy">, now: Date) =>
  status === "approved" && collectBy !== null && isLasting(COLLECT_MS, collectBy, now);
export const awaitedAt = (now: Date): Where => ({ status: "approved", collectBy: collectableBy(now) });
export const collectableBy = (now: Date) => lasting(COLLECT_MS, now);

/** Whether its program, whose response may have been lost, may still poll again. */
export const isRepeatable = ({ status, collectedAt }: Pick<LinkCode, "status" | "collectedAt">, now: Date) =>
  status === "collected" && collectedAt !== null && isRecent(REPEAT_MS, collectedAt, now);
export const repeatableAt = (now: Date): Where => ({ status: "collected", collectedAt: repeatableIf(now) });
export const repeatableIf = (now: Date) => within(REPEAT_MS, now);

export const isCollected = ({ status }: Pick<LinkCode, "status">) => status === "collected";
export const COLLECTED: Where = { status: "collected" };

export const isDenied = ({ status }: Pick<LinkCode, "status">) => status === "denied";

/** Whether nobody approved it, whether it can still be or not; or an operator withdrew that. */
export const isUnapproved = ({ status }: Pick<LinkCode, "status">) => status === "pending" || status === "denied";

/** Both include expired ones. */
export const PENDING: Where = { status: "pending" };
export const APPROVED: Where = { status: "approved" };

/** Whether this code is live: it can still be approved or collected. */
export const isLive = (link: Decidable & Pick<LinkCode, "status" | "collectBy">, now: Date) =>
  isDecidable(link, now) || isAwaited(link, now);

/** Codes that can never be approved or collected again: their masks only block new codes. */
export const deadAt = (now: Date): Prisma.LinkCodeWhereInput => ({
  OR: [
    { status: "denied" },
    { status: "pending", expiresAt: { lte: now } },
    { status: "approved", collectBy: { lte: now } },
    { status: "collected", collectedAt: { lte: secondsAfter(now, -REPEAT_WITHIN_SECONDS) } },
  ],
});

/** What the program that a code was issued to may know of it (contract, section 4: status). */
export const STATUSES = ["pending", "approved", "denied", "expired", "collected"] as const;
export type LinkStatus = (typeof STATUSES)[number];

/** `isAccountUnchanged`: the account that approved is as it was then. Otherwise nothing is left to collect. */
export function statusOf(
  link: Decidable & Pick<LinkCode, "status" | "collectBy">,
  isAccountUnchanged: boolean,
  now: Date,
): LinkStatus {
  if (isDecidable(link, now)) return "pending";
  if (isDenied(link)) return "denied";
  if (isCollected(link)) return "collected";
  return isAwaited(link, now) && isAccountUnchanged ? "approved" : "expired";
}

/** The same in the words of OAuth (RFC 8628, section 3.5): the token has not been given. */
export const OAUTH_ERRORS: Record<LinkStatus, string> = {
  pending: "authorization_pending",
  approved: "authorization_pending",
  denied: "access_denied",
  expired: "expired_token",
  collected: "invalid_grant",
};

/** Whether the token waits for the program. */
export const isTokenWaiting = (status: LinkStatus) => status === "approved";

/** Whether the program may still get the token. */
export const isObtainable = (status: LinkStatus) => status === "pending" || status === "approved";

/** When time alone ends this state; null if it does not, or has. */
export function nextEnd(link: Decidable & Pick<LinkCode, "status" | "collectBy">, now: Date): Date | null {
  if (isDecidable(link, now)) return link.expiresAt;
  return isAwaited(link, now) ? link.collectBy : null;
}

interface Transition {
  from: StoredState | null;
  to: StoredState;
  /** The program that requested it, any signed-in user, the approver, or an operator of the service. */
  by: "program" | "user" | "approver" | "operator";
  /** The requests it applies to. */
  openAt?: (now: Date) => Where;
}

/** All transitions of a request, each a guarded update. Nothing else changes its state. */
export const TRANSITIONS = {
  create: { from: null, to: "pending", by: "program" },
  approve: { from: "pending", to: "approved", by: "user", openAt: decidableAt },
  deny: { from: "pending", to: "denied", by: "user", openAt: decidableAt },
  allow: { from: "approved", to: "approved", by: "approver", openAt: awaitedAt },
  disallow: { from: "approved", to: "approved", by: "approver", openAt: awaitedAt },
  collect: { from: "approved", to: "collected", by: "program", openAt: awaitedAt },
  end: { from: "pending", to: "denied", by: "operator", openAt: decidableAt },
  withdraw: { from: "approved", to: "denied", by: "operator", openAt: awaitedAt },
  repeat: { from: "collected", to: "collected", by: "program", openAt: repeatableAt },
} as const satisfies Record<string, Transition>;

type Transitions = typeof TRANSITIONS;

/** The transitions allowed to this actor. */
export type DoneBy<Who extends Transition["by"]> = {
  [Name in keyof Transitions]: Transitions[Name]["by"] extends Who ? Name : never;
}[keyof Transitions];

/** A request as the page shows it to one user. */
export type PageState =
  | "pending" // also if somebody else decided: until it expires, nobody else learns that
  | "closed" // expired, or others decided
  | "denied" // by this user
  | "approved" // by this user, and the program can still collect
  | "uncollected" // approved by this user, but the program came too late
  | "collected"
  | "revoked"; // the token was rotated or removed since

/** Linked by this user, whose page shows who else knew the code. */
export type LinkedState = Extract<PageState, "approved" | "collected">;
export const isLinked = (state: PageState): state is LinkedState => state === "approved" || state === "collected";

/** Whether it can be decided, as far as this user may know. */
export const isUndecided = (state: PageState | LinkStatus) => state === "pending";

/** The state shown to this user. `holdsToken`: the token that the program gets still is the user's. */
export function pageState(link: LinkCode, viewer: { id: string; holdsToken: boolean }, now: Date): PageState {
  if (link.userId !== viewer.id || link.status === "pending") return isInTime(link, now) ? "pending" : "closed";
  if (isDenied(link)) return "denied";
  if (!viewer.holdsToken) return "revoked";
  if (isCollected(link)) return "collected";
  return isAwaited(link, now) ? "approved" : "uncollected";
}

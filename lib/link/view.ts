import { db } from "@/lib/db/client";
import type { Network } from "@/lib/network";
import type { LinkCode } from "@/prisma/generated/sqlite/client";
import { describeProgram } from "./program";

export type RequestState =
  | "pending"
  | "expired"
  | "denied"
  | "used" // by another user
  | "approved" // by this user, and the program can still collect
  | "uncollected" // approved by this user, but the program came too late
  | "collected"
  | "revoked"; // the token was rotated since

/** Where something happened. */
export interface Place {
  network: string;
  /** Whether it is the network of who looks; undefined where this deployment cannot tell. */
  isYours: boolean | undefined;
}

/** A program's request as the page shows it. Times are seconds from now, so that a wrong clock of the browser does not matter. */
export interface LinkRequest {
  state: RequestState;
  /** What the program calls itself; may be empty. */
  program: string;
  secondsSinceAsked: number;
  /** Until it can no longer be approved, or once it is approved, collected. */
  secondsLeft: number;
  asked: Place;
  contested: boolean;
  collected: (Place & { secondsSince: number }) | null;
}

/** What a signed-in user may know of a request, or null when it is gone. */
export async function viewRequest(viewer: { id: string; network: Network }, linkId: string, now = new Date()): Promise<LinkRequest | null> {
  const link = await db.linkCode.findUnique({ where: { id: linkId } });
  if (!link) return null;
  const user = await db.user.findUniqueOrThrow({ where: { id: viewer.id }, select: { tokenHash: true } });
  const state = stateFor(viewer.id, link, user.tokenHash, now);
  const place = (network: string): Place => ({ network, isYours: isYours(network, viewer.network) });
  return {
    state,
    program: describeProgram(link.program),
    secondsSinceAsked: secondsBetween(link.createdAt, now),
    secondsLeft: secondsBetween(now, link.collectBy ?? link.expiresAt),
    asked: place(link.network),
    contested: link.contestedAt !== null,
    collected:
      state === "collected" && link.collectedAt && link.collectedNetwork
        ? { ...place(link.collectedNetwork), secondsSince: secondsBetween(link.collectedAt, now) }
        : null,
  };
}

function secondsBetween(earlier: Date, later: Date): number {
  return Math.max(0, Math.floor((later.getTime() - earlier.getTime()) / 1_000));
}

function stateFor(viewerId: string, link: LinkCode, tokenHash: string, now: Date): RequestState {
  if (link.status === "pending") return link.expiresAt > now ? "pending" : "expired";
  if (link.status === "denied") return "denied";
  if (link.userId !== viewerId) return "used";
  if (link.tokenHash !== tokenHash) return "revoked";
  if (link.status === "collected") return "collected";
  return link.collectBy && link.collectBy > now ? "approved" : "uncollected";
}

function isYours(network: string, viewer: Network): boolean | undefined {
  return viewer.kind === "unknown" || viewer.kind === "shared" ? undefined : network === viewer.id;
}

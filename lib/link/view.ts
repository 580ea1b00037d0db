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

/** A program's request as the page shows it. Times are ISO 8601. */
export interface LinkRequest {
  state: RequestState;
  /** What the program calls itself; may be empty. */
  program: string;
  askedAt: string;
  /** The asking network, and whether it is the viewer's; undefined where this deployment cannot tell. */
  asked: { network: string; isYours: boolean | undefined };
  contested: boolean;
  expiresAt: string;
  collectBy: string | null;
  collected: { at: string; network: string; isYours: boolean | undefined } | null;
}

/** What a signed-in user may know of a request, or null when it is gone. */
export async function viewRequest(viewer: { id: string; network: Network }, linkId: string, now = new Date()): Promise<LinkRequest | null> {
  const link = await db.linkCode.findUnique({ where: { id: linkId } });
  if (!link) return null;
  const user = await db.user.findUniqueOrThrow({ where: { id: viewer.id }, select: { tokenHash: true } });
  const state = stateFor(viewer.id, link, user.tokenHash, now);
  return {
    state,
    program: describeProgram(link.program),
    askedAt: link.createdAt.toISOString(),
    asked: { network: link.network, isYours: isYours(link.network, viewer.network) },
    contested: link.contestedAt !== null,
    expiresAt: link.expiresAt.toISOString(),
    collectBy: link.collectBy?.toISOString() ?? null,
    collected:
      link.collectedAt && link.collectedNetwork && state !== "used"
        ? { at: link.collectedAt.toISOString(), network: link.collectedNetwork, isYours: isYours(link.collectedNetwork, viewer.network) }
        : null,
  };
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

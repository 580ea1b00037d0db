import { type Access, storedAccess } from "@/lib/platform/access";
import { db } from "@/lib/platform/db/client";
import { DAY_MS } from "@/lib/platform/time";
import { provingOf } from "./audiences";
import { endOf, works } from "./use";

/** A token of a program's own, as its user sees it: never the token itself. */
export interface ListedToken {
  id: string;
  name: string;
  access: Access;
  /** The servers to which it proves who its user is; null: any. */
  audiences: readonly string[] | null;
  createdAt: Date;
  /** To five minutes; null: never. */
  usedAt: Date | null;
  /** When it stops working; null: never. */
  endsAt: Date | null;
  /** Each use moves that: it ends because nobody uses it. */
  isUnused: boolean;
  /** `waiting`: its link was approved, and the program has not collected it yet. */
  state: "works" | "waiting" | "ended";
  /** The program that a link created it for, and its network. Null: created by hand. */
  createdFor: { program: string; network: string } | null;
}

/** A user's access tokens, latest first: 1,000 at most. */
export async function tokensOf(userId: string, now = new Date()): Promise<ListedToken[]> {
  const tokens = await db.accessToken.findMany({
    where: { userId },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    omit: { hash: true },
  });
  return tokens.map((token) => ({
    id: token.id,
    name: token.name,
    access: storedAccess(token.access),
    audiences: provingOf(token).audiences,
    createdAt: token.createdAt,
    usedAt: token.usedAt,
    endsAt: endOf(token),
    isUnused: endOf(token)?.getTime() !== token.expiresAt?.getTime(),
    state: token.startsAt === null ? "waiting" : works(token, now) ? "works" : "ended",
    createdFor: token.program === null ? null : { program: token.program, network: token.network ?? "" },
  }));
}

const SOON_MS = 7 * DAY_MS;

/** Those that stop within a week, the next first. */
export async function endingTokens(userId: string, now = new Date()): Promise<ListedToken[]> {
  const end = ({ endsAt }: ListedToken) => endsAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return (await tokensOf(userId, now))
    .filter((token) => token.state === "works" && end(token) <= now.getTime() + SOON_MS)
    .sort((one, other) => end(one) - end(other));
}

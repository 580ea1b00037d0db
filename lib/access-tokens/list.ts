import { type Access, storedAccess } from "@/lib/access";
import { db } from "@/lib/db/client";
import { endOf, works } from "./life";

/** A token of a program's own, as its user sees it: never the token itself. */
export interface ListedToken {
  id: string;
  name: string;
  access: Access;
  createdAt: Date;
  /** To five minutes; null: never. */
  usedAt: Date | null;
  /** When it stops working; null: never. With TOKEN_IDLE_DAYS, each use moves it. */
  endsAt: Date | null;
  /** `waiting`: its link was approved, and the program has not collected it yet. */
  state: "works" | "waiting" | "ended";
  /** The program that a link created it for, and the network that asked. Null: created by hand. */
  madeFor: { program: string; network: string } | null;
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
    createdAt: token.createdAt,
    usedAt: token.usedAt,
    endsAt: endOf(token),
    state: token.startsAt === null ? "waiting" : works(token, now) ? "works" : "ended",
    madeFor: token.program === null ? null : { program: token.program, network: token.network ?? "" },
  }));
}

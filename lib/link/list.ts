import { db } from "@/lib/platform/db/client";
import { reportedName } from "./program";
import { awaitedAt, COLLECTED } from "./states";

/** How many are listed; one more shows that there are more. */
const MAX_LISTED = 200;

export interface LinkedProgram {
  id: string;
  /** What the program calls itself; may be empty. */
  program: string;
  network: string;
  /** When it collected the token or, before it has, when it was approved. ISO 8601. */
  linkedAt: string;
  /** False while it may still collect the token. */
  collected: boolean;
}

/**
 * The programs that hold the user's current token through a code, or may collect it, latest first: those that stop
 * working when it is rotated. At most 201.
 */
export async function linkedPrograms(userId: string, now = new Date()): Promise<LinkedProgram[]> {
  const user = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { tokenHash: true } });
  const links = await db.linkCode.findMany({
    where: {
      userId,
      tokenHash: user.tokenHash,
      OR: [COLLECTED, awaitedAt(now)],
    },
    orderBy: { decidedAt: "desc" },
    take: MAX_LISTED + 1,
    select: {
      id: true,
      name: true,
      program: true,
      webPage: true,
      decidedAt: true,
      collectedAt: true,
      collectedNetwork: true,
      network: true,
    },
  });
  return links.map((link) => ({
    id: link.id,
    program: reportedName(link),
    network: link.collectedNetwork ?? link.network,
    linkedAt: (link.collectedAt ?? link.decidedAt)?.toISOString() ?? "",
    collected: link.collectedAt !== null,
  }));
}

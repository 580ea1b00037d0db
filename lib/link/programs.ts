import { db } from "@/lib/db/client";
import { describeProgram } from "./program";

/** So many are listed; one more says that there are more. */
const MOST_LISTED = 200;

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

/** The programs that hold the user's present token by way of a code, or may collect it, latest first: those that stop when it is rotated. 201 at most. */
export async function linkedPrograms(userId: string, now = new Date()): Promise<LinkedProgram[]> {
  const user = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { tokenHash: true } });
  const links = await db.linkCode.findMany({
    where: { userId, tokenHash: user.tokenHash, OR: [{ status: "collected" }, { status: "approved", collectBy: { gt: now } }] },
    orderBy: { decidedAt: "desc" },
    take: MOST_LISTED + 1,
    select: { id: true, program: true, decidedAt: true, collectedAt: true, collectedNetwork: true, network: true },
  });
  return links.map((link) => ({
    id: link.id,
    program: describeProgram(link.program),
    network: link.collectedNetwork ?? link.network,
    linkedAt: (link.collectedAt ?? link.decidedAt)?.toISOString() ?? "",
    collected: link.collectedAt !== null,
  }));
}

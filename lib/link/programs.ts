import { db } from "@/lib/db/client";
import { describeProgram } from "./program";

export interface LinkedProgram {
  id: string;
  /** What the program calls itself; may be empty. */
  program: string;
  network: string;
  /** ISO 8601. */
  linkedAt: string;
}

/** The programs that hold the user's present token by way of a code, latest first: those that stop when it is rotated. */
export async function linkedPrograms(userId: string): Promise<LinkedProgram[]> {
  const user = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { tokenHash: true } });
  const links = await db.linkCode.findMany({
    where: { userId, status: "collected", tokenHash: user.tokenHash },
    orderBy: { collectedAt: "desc" },
    select: { id: true, program: true, collectedAt: true, collectedNetwork: true, network: true },
  });
  return links.map((link) => ({
    id: link.id,
    program: describeProgram(link.program),
    network: link.collectedNetwork ?? link.network,
    linkedAt: link.collectedAt?.toISOString() ?? "",
  }));
}

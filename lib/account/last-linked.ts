import { db } from "@/lib/db/client";
import { type LinkedProgram, linkedPrograms } from "@/lib/link/programs";

/** The program that the user linked last, with the account's token or one of its own; null: none is linked. */
export async function lastLinked(userId: string): Promise<Pick<LinkedProgram, "program" | "linkedAt"> | null> {
  const [[program], own] = await Promise.all([
    linkedPrograms(userId),
    db.accessToken.findFirst({
      where: { userId, program: { not: null } },
      orderBy: { createdAt: "desc" },
      select: { name: true, createdAt: true },
    }),
  ]);
  if (!own) return program ?? null;
  const linkedAt = own.createdAt.toISOString();
  return program && program.linkedAt > linkedAt ? program : { program: own.name, linkedAt };
}

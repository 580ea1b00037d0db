import { z } from "zod";
import { userNotFound } from "@/lib/accounts/errors";
import { filesSummary } from "@/lib/files/list";
import { type LinkedProgram, linkedPrograms } from "@/lib/link/list";
import { db, sql } from "@/lib/platform/db/client";
import { overviewOfUser } from "./queries";

/** What a token with the access `identity` learns of its user. */
export const identity = z.strictObject({
  id: z.string().describe("Stays the same for as long as the account exists, and is never another's."),
  username: z.string(),
  role: z.string(),
});

/** The user as /me returns it (contract, section 5). */
export const overview = z.object({
  username: z.string(),
  role: z.string(),
  createdAt: z.iso.datetime(),
  keys: z.number().int().describe("How many keys the user holds."),
  files: z.object({ entries: z.number().int(), bytes: z.number().int() }),
});

/** The user's details and amounts. */
export async function overviewOf(userId: string): Promise<z.infer<typeof overview>> {
  const [[user], files] = await Promise.all([sql.read(overviewOfUser(userId)), filesSummary(userId)]);
  if (!user) throw userNotFound();
  return {
    username: user.username,
    role: user.role,
    createdAt: user.createdAt.toISOString(),
    keys: user.keys,
    files,
  };
}

/** A program with the account's token, or with one of its own. */
export type LastLinked = Pick<LinkedProgram, "program" | "linkedAt">;

const LAST = 3;

/** The programs that the user linked last, the latest first: three at most. */
export async function lastLinked(userId: string): Promise<LastLinked[]> {
  const [programs, own] = await Promise.all([
    linkedPrograms(userId),
    db.accessToken.findMany({
      where: { userId, program: { not: null } },
      orderBy: { createdAt: "desc" },
      take: LAST,
      select: { name: true, createdAt: true },
    }),
  ]);
  return [...programs, ...own.map(({ name, createdAt }) => ({ program: name, linkedAt: createdAt.toISOString() }))]
    .sort((one, other) => (one.linkedAt < other.linkedAt ? 1 : -1))
    .slice(0, LAST);
}

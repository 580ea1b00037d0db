import { z } from "zod";
import { db } from "@/lib/db/client";
import { filesSummary } from "@/lib/files/summary";
import { notEnded } from "@/lib/keys/until";

/** What a token with the access `identity` learns of its user. */
export const identity = z.strictObject({ username: z.string(), role: z.string() });

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
  const [user, files] = await Promise.all([
    db.user.findUniqueOrThrow({
      where: { id: userId },
      select: {
        username: true,
        role: true,
        createdAt: true,
        _count: { select: { held: { where: { hiddenAt: null, ...notEnded(new Date()) } } } },
      },
    }),
    filesSummary(userId),
  ]);
  return {
    username: user.username,
    role: user.role,
    createdAt: user.createdAt.toISOString(),
    keys: user._count.held,
    files,
  };
}

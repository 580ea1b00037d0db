import { z } from "zod";
import { sql } from "@/lib/db/client";
import { userNotFound } from "@/lib/errors";
import { filesSummary } from "@/lib/files/summary";
import { overviewOfUser } from "./rows";

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

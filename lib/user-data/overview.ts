import { z } from "zod";
import { identitiesOf } from "@/lib/accounts/ways-in/identities";
import { emailOf } from "@/lib/accounts/ways-in/mail/addresses";
import { type ListedPasskey, passkeysOf } from "@/lib/accounts/ways-in/passkeys/add";
import { providerName } from "@/lib/accounts/ways-in/providers";
import type { ProvenUser } from "@/lib/accounts/ways-in/recovery/recover";
import { filesSummary } from "@/lib/files/list";
import { type LinkedProgram, linkedPrograms } from "@/lib/link/program";
import { db, sql } from "@/lib/platform/db/client";
import { userNotFound } from "@/lib/platform/errors";
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

/** Further programs are only counted. */
const MAX_NAMED = 20;

/** What a user who comes back can end with the former sign-in method. */
export interface RecoveryEffects {
  username: string;
  passkeys: ListedPasskey[];
  /** The names of the connected providers. */
  providers: string[];
  /** The verified e-mail address; null if there is none, or if it got the link. */
  email: string | null;
  /** Those that stop with the account's token: some names, each once, and how many more. */
  programs: { names: string[]; more: number };
}

/** What coming back can end. Only for somebody who has proved whose account it is. */
export async function recoveryEffects({ id, username, through }: ProvenUser): Promise<RecoveryEffects> {
  const [passkeys, identities, email, programs] = await Promise.all([
    passkeysOf(id),
    identitiesOf(id),
    emailOf(id),
    linkedPrograms(id),
  ]);
  const names = [...new Set(programs.map(({ program }) => program || "Unnamed program"))];
  return {
    username,
    passkeys,
    providers: [...new Set(identities.map(({ provider }) => providerName(provider)))],
    email: through === "email" ? null : (email?.address ?? null),
    programs: { names: names.slice(0, MAX_NAMED), more: Math.max(0, names.length - MAX_NAMED) },
  };
}

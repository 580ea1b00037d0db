import { audit } from "@/lib/platform/audit";
import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { lockUser } from "@/lib/platform/db/lock";
import type { ProviderIdentity } from "../identity/user";
import { requireOtherSignInMethod } from "./last-way-in";
import { providerName } from "./providers";

/** The user that this account at a provider signs in, or null. */
export async function userOfIdentity(
  identity: ProviderIdentity,
): Promise<{ id: string; disabledAt: Date | null } | null> {
  const stored = await db.identity.findUnique({
    where: { provider_accountId: identity },
    select: { user: { select: { id: true, disabledAt: true } } },
  });
  return stored?.user ?? null;
}

/**
 * Removes a provider, by its stored name, from the user's ways to sign in. Throws 409 `last_way_in` if it is the only
 * one: nobody could sign in any more.
 */
export async function disconnectIdentity(userId: string, provider: string, now = new Date()): Promise<void> {
  await transaction(async (tx) => {
    await lockUser(tx, userId);
    await requireOtherSignInMethod(tx, userId, { provider });
    await disconnect(tx, userId, { providers: [provider], now });
  }, "even on a full disk");
}

/** Removes all providers from the ways to sign in of a user, who has another one. Lock the user first. */
export async function disconnectAll(tx: Statements, userId: string, now: Date): Promise<void> {
  const connected = await tx.identity.findMany({ where: { userId }, select: { provider: true } });
  await disconnect(tx, userId, { providers: [...new Set(connected.map(({ provider }) => provider))], now });
}

async function disconnect(
  tx: Statements,
  userId: string,
  { providers, now }: { providers: string[]; now: Date },
): Promise<void> {
  for (const provider of providers) {
    const { count } = await tx.identity.deleteMany({ where: { userId, provider } });
    if (count === 0) continue;
    const detail = { name: providerName(provider) };
    await audit({ at: now, action: "provider.disconnect", subjectId: userId, actorId: userId, detail }, tx);
  }
}

/** The providers through which this user can sign in. */
export async function identitiesOf(userId: string): Promise<ProviderIdentity[]> {
  return db.identity.findMany({
    where: { userId },
    select: { provider: true, accountId: true },
    orderBy: { createdAt: "asc" },
  });
}

import { db } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { identityTaken, type ProviderIdentity } from "./users";

/** The user whom this account at a provider signs in, or null. */
export async function userOfIdentity(identity: ProviderIdentity): Promise<{ id: string; disabledAt: Date | null } | null> {
  const found = await db.identity.findUnique({ where: { provider_accountId: identity }, select: { user: { select: { id: true, disabledAt: true } } } });
  return found?.user ?? null;
}

/** Lets an account at a provider sign this user in. Throws 409 `identity_taken` when it signs in somebody else. */
export async function connectIdentity(userId: string, identity: ProviderIdentity, now = new Date()): Promise<void> {
  try {
    await db.identity.create({ data: { ...identity, userId, createdAt: now } });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const owner = await userOfIdentity(identity);
    if (owner?.id !== userId) throw identityTaken();
  }
}

/** The providers through which this user can sign in. */
export async function identitiesOf(userId: string): Promise<ProviderIdentity[]> {
  return db.identity.findMany({ where: { userId }, select: { provider: true, accountId: true }, orderBy: { createdAt: "asc" } });
}

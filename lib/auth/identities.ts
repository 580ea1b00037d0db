import { db, transaction } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { lockUser } from "@/lib/db/lock";
import { ApiError } from "@/lib/errors";
import { configuredProviders, storedProvider } from "./providers";
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

/**
 * Takes from a user the way of signing in through a provider, by the name that it is stored under. Throws 409 `last_way_in` where it is the only one, because then
 * nobody could sign in any more.
 */
export async function disconnectIdentity(userId: string, provider: string): Promise<void> {
  await transaction(async (tx) => {
    await lockUser(tx, userId);
    const { passwordHash } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { passwordHash: true } });
    const offered = configuredProviders().map(({ id }) => storedProvider(id));
    const others = await tx.identity.count({ where: { userId, provider: { in: offered.filter((other) => other !== provider) } } });
    if (passwordHash === null && others === 0) throw new ApiError(409, "last_way_in", "This is your only way to sign in. Set a password first.");
    await tx.identity.deleteMany({ where: { userId, provider } });
  });
}

/** The providers through which this user can sign in. */
export async function identitiesOf(userId: string): Promise<ProviderIdentity[]> {
  return db.identity.findMany({ where: { userId }, select: { provider: true, accountId: true }, orderBy: { createdAt: "asc" } });
}

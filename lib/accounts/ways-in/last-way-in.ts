import type { Statements } from "@/lib/platform/db/client";
import { ApiError } from "@/lib/platform/errors";
import { passkeyHost } from "../identity/relying-party";
import { configuredProviders, storedProvider } from "./providers";

const ADVICE = "This is your only way to sign in. Set a password first.";

/**
 * Checks that the user could still sign in without this provider, by its stored name, or without this passkey: with a
 * password, a provider that is offered, or a passkey of this host. Recovery codes do not count: a sheet of paper may be
 * lost, and nobody would notice. Lock the user first. Throws 409 `last_way_in` with this advice.
 */
export async function requireOtherSignInMethod(
  tx: Statements,
  userId: string,
  without: ({ provider: string } | { passkeyId: string }) & { advice?: string },
): Promise<void> {
  const { passwordHash } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { passwordHash: true } });
  if (passwordHash !== null) return;
  const offered = configuredProviders().map(({ id }) => storedProvider(id));
  const left = "provider" in without ? offered.filter((other) => other !== without.provider) : offered;
  const identities = await tx.identity.count({ where: { userId, provider: { in: left } } });
  const host = passkeyHost();
  const other = "passkeyId" in without ? { id: { not: without.passkeyId } } : {};
  const passkeys = host === null ? 0 : await tx.passkey.count({ where: { userId, host, ...other } });
  if (identities + passkeys === 0) throw new ApiError(409, "last_way_in", without.advice ?? ADVICE);
}

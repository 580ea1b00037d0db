import type { Statements } from "@/lib/db/client";

/**
 * Forgets an address that is not yet verified, within a transaction that ends other ways in: its link would be another
 * one. Lock the user first.
 */
export async function forgetPending(tx: Statements, userId: string): Promise<void> {
  await tx.mail.deleteMany({ where: { userId, kind: "verification" } });
  await tx.emailAddress.deleteMany({ where: { userId, address: null } });
  await tx.emailAddress.updateMany({ where: { userId }, data: { pending: null, hash: null, expiresAt: null } });
}

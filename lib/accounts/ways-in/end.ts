import type { Statements } from "@/lib/platform/db/client";
import { endSessions } from "../session/sessions";
import { forgetPending } from "./mail/addresses";

/**
 * Ends what else signs a user in, or would: sessions except the named one, links to recover the account, and an address
 * that is not yet verified. Lock the user first.
 */
export async function endWaysIn(tx: Statements, userId: string, exceptSessionId?: string): Promise<void> {
  await endSessions(tx, userId, exceptSessionId);
  await tx.recoveryLink.deleteMany({ where: { userId } });
  await forgetPending(tx, userId);
}

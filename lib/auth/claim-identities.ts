import { auditEvents, auditTrail, OPERATOR } from "@/lib/audit";
import { db, sql } from "@/lib/db/client";
import { env } from "@/lib/env";
import { storedProvider } from "./providers";
import { moveIdentities } from "./rows";

/** The provider name of OpenID Connect identities before the issuer was part of it. */
const BEFORE = "oidc";

/**
 * Assigns identities of earlier versions, which do not name their issuer, to the issuer configured when the service
 * first meets them. This is recorded, so that an issuer configured later gets none of them. Returns how many.
 */
export async function claimIdentities(now = new Date()): Promise<number> {
  if ((await db.identity.count({ where: { provider: BEFORE } })) === 0) return 0;
  const [claim] = await auditTrail({ subjectId: "identities", action: "identities.claim" }, 1);
  const provider = claim?.detail.provider ?? (env.OIDC_ISSUER ? storedProvider(BEFORE) : "");
  return sql.write(async (tx) => {
    if (!claim)
      await tx.write(
        auditEvents({
          at: now,
          action: "identities.claim",
          subjectId: "identities",
          actorId: OPERATOR,
          detail: { provider },
        }),
      );
    return provider === "" ? 0 : tx.write(moveIdentities(BEFORE, provider));
  });
}

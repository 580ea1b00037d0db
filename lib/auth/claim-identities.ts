import { audit, auditTrail, OPERATOR } from "@/lib/audit";
import { db, transaction } from "@/lib/db/client";
import { env } from "@/lib/env";
import { storedProvider } from "./providers";

/** What identities of OpenID Connect were stored under before the issuer was a part of them. */
const BEFORE = "oidc";

/**
 * Gives identities of earlier versions, which do not say who vouched for them, to the issuer that is configured when the service first meets
 * them. That is written down: whoever is configured later gets none of them. Answers how many.
 */
export async function claimIdentities(now = new Date()): Promise<number> {
  if ((await db.identity.count({ where: { provider: BEFORE } })) === 0) return 0;
  const [claim] = await auditTrail({ subjectId: "identities", action: "identities.claim" }, 1);
  const provider = claim?.detail.provider ?? (env.OIDC_ISSUER ? storedProvider(BEFORE) : "");
  return transaction(async (tx) => {
    if (!claim) await audit({ at: now, action: "identities.claim", subjectId: "identities", actorId: OPERATOR, detail: { provider } }, tx);
    if (provider === "") return 0;
    return tx.$executeRaw`
      UPDATE "Identity" SET "provider" = ${provider} WHERE "provider" = ${BEFORE}
      AND NOT EXISTS (SELECT 1 FROM "Identity" i WHERE i."provider" = ${provider} AND i."accountId" = "Identity"."accountId")`;
  });
}

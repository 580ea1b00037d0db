import { audit } from "@/lib/audit";
import { writeWith } from "@/lib/db/client";
import { openToken } from "@/lib/tokens";
import { type Approver, type AskedLink, findAsked } from "./asked-link";
import { auditedAsker } from "./asker";
import { type Claim, isCollectable, titleTo } from "./entitled";
import { ASK_AGAIN_WITHIN_SECONDS, secondsAfter } from "./lifetimes";

/** A program that lost so many answers asks for something else. */
const MOST_REPEATS = 20;

/**
 * The token of who approved this link, which `isCollectable` said, or null when somebody else was faster. Everything that can fail comes
 * before the step that cannot be undone, so no token is lost on the way.
 */
export async function handOut(codeHash: string, link: AskedLink, user: Approver, claim: Claim, now: Date): Promise<{ token: string } | null> {
  const token = openToken(user.tokenSealed, user.id);
  if (link.status !== "collected") {
    if (await markCollected(link, user, claim, now)) return { token };
    const after = await findAsked(codeHash);
    if (after.link?.status !== "collected" || !after.user || !isCollectable(after.link, claim, now)) return null;
  }
  return (await markRepeated(link, user, claim, now)) ? { token } : null;
}

/** The title is looked at once more in the same step: since then the secret may have bound the code, or the person taken back her word. */
async function markCollected(link: AskedLink, user: Approver, claim: Claim, now: Date): Promise<boolean> {
  const { network, program, webPage } = claim.asker;
  const title = titleTo(link, claim);
  const rows = await writeWith(
    (tx) => tx.$queryRaw<{ id: string }[]>`
      UPDATE "LinkCode" SET "status" = 'collected', "collectedAt" = ${now}, "collectedNetwork" = ${network.id}, "collectedProgram" = ${program},
        "collectedWebPage" = ${webPage}, "boundAt" = CASE WHEN ${title} = 'secret' THEN COALESCE("boundAt", ${now}) END
      WHERE "id" = ${link.id} AND "status" = 'approved' AND "collectBy" > ${now}
        AND (CASE ${title} WHEN 'secret' THEN "webPage" IS NULL OR "allowedNetwork" IS NOT NULL
                           WHEN 'network' THEN "boundAt" IS NULL
                           WHEN 'word' THEN "boundAt" IS NULL AND "allowedNetwork" = ${network.id} AND "allowedWebPage" = ${webPage ?? ""} END)
        AND EXISTS (SELECT 1 FROM "User" u WHERE u."id" = "LinkCode"."userId" AND u."tokenHash" = ${user.tokenHash} AND u."disabledAt" IS NULL)
      RETURNING "id"`,
    (tx) => audit({ at: now, action: "link.collect", subjectId: link.id, actorId: user.id, detail: auditedAsker(claim.asker) }, tx),
  );
  return rows.length > 0;
}

async function markRepeated(link: AskedLink, user: Approver, { asker }: Claim, now: Date): Promise<boolean> {
  const rows = await writeWith(
    (tx) => tx.$queryRaw<{ id: string }[]>`
      UPDATE "LinkCode" SET "repeats" = COALESCE("repeats", 0) + 1
      WHERE "id" = ${link.id} AND "status" = 'collected' AND "collectedAt" > ${secondsAfter(now, -ASK_AGAIN_WITHIN_SECONDS)}
        AND COALESCE("repeats", 0) < ${MOST_REPEATS}
      RETURNING "id"`,
    (tx) => audit({ at: now, action: "link.repeat", subjectId: link.id, actorId: user.id, detail: auditedAsker(asker) }, tx),
  );
  return rows.length > 0;
}

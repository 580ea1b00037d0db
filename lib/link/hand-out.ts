import { forgetSealedSoon, startToken } from "@/lib/access-tokens/start";
import { auditEvents } from "@/lib/audit";
import { sql } from "@/lib/db/client";
import { rowLock } from "@/lib/db/lock";
import type { SqlChange } from "@/lib/db/statement";
import { openAccessToken, openToken } from "@/lib/tokens";
import { findAsked } from "./asked-link";
import { auditedAsker } from "./asker";
import { type Claim, isCollectable, titleTo } from "./entitled";
import { type Approver, type AskedLink, collect, repeat } from "./rows";
import { isCollected } from "./states";
import { announceChange } from "./waiters";

/** A program that lost this many responses is after something else. */
const MOST_REPEATS = 20;

/**
 * The token of this link's approver, if `isCollectable` was true; null if somebody else was faster. Everything that can
 * fail comes before the irreversible step, so no token is lost on the way.
 */
export async function handOut(
  codeHash: string,
  link: AskedLink,
  user: Approver,
  claim: Claim,
  now: Date,
): Promise<{ token: string } | null> {
  const token = link.sealed === null ? openToken(user.tokenSealed, user.id) : openAccessToken(link.sealed, link.id);
  if (!isCollected(link)) {
    if (await markCollected(link, user, claim, now)) return { token };
    const after = await findAsked(codeHash);
    if (!after.link || !isCollected(after.link) || !after.user || !isCollectable(after.link, claim, now)) return null;
  }
  return (await markRepeated(link, user, claim, now)) ? { token } : null;
}

async function markCollected(link: AskedLink, user: Approver, claim: Claim, now: Date): Promise<boolean> {
  const { network, program, webPage } = claim.asker;
  const asker = { network: network.id, program, webPage };
  const collecting = collect({ link, user, title: titleTo(link, claim), asker, now });
  const event = auditEvents({
    at: now,
    action: "link.collect",
    subjectId: link.id,
    actorId: user.id,
    detail: auditedAsker(claim.asker),
  });
  const isDone =
    link.sealed === null
      ? (await sql.batch([collecting, event])).length > 0
      : await collectOwn(link.id, collecting, event, now);
  if (isDone) announceChange(link.id);
  return isDone;
}

/** Collects a token of the program's own, which works from now on. Without the token, the link stays uncollected. */
async function collectOwn(
  tokenId: string,
  collecting: SqlChange<{ id: string }>,
  event: SqlChange,
  now: Date,
): Promise<boolean> {
  const isDone = await sql.write(async (tx) => {
    if ((await tx.write(rowLock.accessToken(tokenId))) === 0) return false;
    if ((await tx.write(collecting)).length === 0) return false;
    await startToken(tx, tokenId, now);
    await tx.write(event);
    return true;
  });
  if (isDone) forgetSealedSoon(tokenId);
  return isDone;
}

async function markRepeated(link: AskedLink, user: Approver, { asker }: Claim, now: Date): Promise<boolean> {
  const rows = await sql.batch([
    repeat(link.id, MOST_REPEATS, now),
    auditEvents({
      at: now,
      action: "link.repeat",
      subjectId: link.id,
      actorId: user.id,
      detail: auditedAsker(asker),
    }),
  ]);
  return rows.length > 0;
}

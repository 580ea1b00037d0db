import { accountDisabled } from "@/lib/accounts/errors";
import { prepareToken } from "@/lib/accounts/identity/access-tokens/create";
import { notify } from "@/lib/accounts/ways-in/mail/outbox";
import { audit } from "@/lib/platform/audit";
import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { siteOf } from "@/lib/platform/user-agent";
import type { LinkCode, Prisma } from "@/prisma/generated/sqlite/client";
import type { Actor } from "./enter";
import { tooWide, unusable } from "./errors";
import {
  isWithinRequested,
  nameForToken,
  proposedChoice,
  provingFor,
  reportedName,
  requestedAccessOf,
  type TokenChoice,
} from "./program";
import { COLLECT_WITHIN_SECONDS, type DoneBy, isDenied, secondsAfter, TRANSITIONS } from "./states";
import { announceChange } from "./wait";

/**
 * Lets the program collect the account's token or, if that is the choice, one of its own, which works from then on.
 * Without a choice, it is the proposed one. A web page, whose host the approver has seen, needs no other permission,
 * unless it hides its host. `opener`: the origin of the page that opened this window. One decision wins; repeating it
 * changes nothing. Throws 403 `account_disabled` and `token_limit`, 400 `access_too_wide`, or 409 `code_unusable` for a
 * late decision, whatever became of the code.
 */
export async function approveRequest(
  actor: Actor,
  linkId: string,
  { choice: chosen, opener, now = new Date() }: { choice?: TokenChoice; opener?: string; now?: Date } = {},
): Promise<void> {
  const user = await db.user.findUnique({ where: { id: actor.id }, select: { tokenHash: true, disabledAt: true } });
  if (!user || user.disabledAt) throw accountDisabled();
  const collectBy = secondsAfter(now, COLLECT_WITHIN_SECONDS);
  const grant = async (tx: Statements, link: LinkCode): Promise<Prisma.LinkCodeUpdateInput> => {
    const requested = requestedAccessOf(link);
    const choice = chosen ?? proposedChoice(requested);
    if (!isWithinRequested(choice, requested)) throw tooWide();
    const { program, network, webPage } = link;
    const isSite = webPage !== null && siteOf(webPage) !== "";
    const common = { collectBy, ...(isSite && { allowedNetwork: network, allowedWebPage: webPage }) };
    if (choice === "account") return { ...common, tokenHash: user.tokenHash };
    const proving = provingFor(link, opener);
    const token = { id: linkId, name: nameForToken(link), program, network, grant: choice, proving };
    return { ...common, sealed: await prepareToken(tx, actor.id, { ...token, sealedUntil: collectBy, now }) };
  };
  await decide(actor, linkId, { decision: "approve", grant, now });
}

/** Refuses the program. Throws 409 `code_unusable` if somebody decided before, or the code expired. */
export async function denyRequest(
  actor: Actor,
  linkId: string,
  { now = new Date() }: { now?: Date } = {},
): Promise<void> {
  await decide(actor, linkId, { decision: "deny", now });
}

interface Decision {
  decision: DoneBy<"user">;
  /** What an approval stores. */
  grant?: (tx: Statements, link: LinkCode) => Promise<Prisma.LinkCodeUpdateInput>;
  now: Date;
}

async function decide(actor: Actor, linkId: string, { decision, grant, now }: Decision): Promise<void> {
  const { to, openAt } = TRANSITIONS[decision];
  const won = await transaction(async (tx) => {
    const [decided] = await tx.linkCode.updateManyAndReturn({
      where: { id: linkId, ...openAt(now) },
      data: { status: to, userId: actor.id, decidedAt: now },
    });
    if (!decided) return false;
    if (grant) await tx.linkCode.update({ where: { id: linkId }, data: await grant(tx, decided) });
    const detail = { network: actor.network.id, program: reportedName(decided), asked: decided.network };
    await audit({ at: now, action: `link.${decision}`, subjectId: linkId, actorId: actor.id, detail }, tx);
    if (decision === "approve" && (decided.network !== actor.network.id || decided.webPage !== null))
      await notify(tx, actor.id, { kind: "program linked", network: { id: decided.network }, now });
    return true;
  });
  if (won) return announceChange(linkId);
  const link = await db.linkCode.findUnique({ where: { id: linkId } });
  const didTheSame = link?.userId === actor.id && isDenied(link) === (decision === "deny");
  if (!didTheSame) throw unusable();
}

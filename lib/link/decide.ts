import { prepareToken } from "@/lib/access-tokens/create";
import { audit } from "@/lib/audit";
import { db, type Statements, transaction } from "@/lib/db/client";
import { accountDisabled } from "@/lib/errors";
import { notify } from "@/lib/mail/outbox";
import type { LinkCode, Prisma } from "@/prisma/generated/sqlite/client";
import { type Person, unusable } from "./find";
import { COLLECT_WITHIN_SECONDS, secondsAfter } from "./lifetimes";
import { askedAccessOf, claimedName, nameForToken } from "./program";
import { type DoneBy, isDenied, TRANSITIONS } from "./states";
import { isWithinAsked, proposedChoice, type TokenChoice, tooWide } from "./token-choice";
import { announceChange } from "./waiters";

/**
 * Lets the program collect the account's token or, if that is the choice, one of its own, which works from then on.
 * Without a choice, it is the proposed one. One decision wins; repeating it changes nothing. Throws 403
 * `account_disabled` and `token_limit`, 400 `access_too_wide`, or 409 `code_unusable` for a late decision, whatever
 * became of the code.
 */
export async function approveRequest(
  person: Person,
  linkId: string,
  now = new Date(),
  chosen?: TokenChoice,
): Promise<void> {
  const user = await db.user.findUnique({ where: { id: person.id }, select: { tokenHash: true, disabledAt: true } });
  if (!user || user.disabledAt) throw accountDisabled();
  const collectBy = secondsAfter(now, COLLECT_WITHIN_SECONDS);
  await decide(person, linkId, "approve", now, async (tx, link) => {
    const asked = askedAccessOf(link);
    const choice = chosen ?? proposedChoice(asked);
    if (!isWithinAsked(choice, asked)) throw tooWide();
    if (choice === "account") return { collectBy, tokenHash: user.tokenHash };
    const receiver = { name: nameForToken(link), program: link.program, network: link.network };
    return { collectBy, sealed: await prepareToken(tx, person.id, linkId, receiver, choice, now, collectBy) };
  });
}

/** Refuses the program. Throws 409 `code_unusable` if somebody decided before, or the code expired. */
export async function denyRequest(person: Person, linkId: string, now = new Date()): Promise<void> {
  await decide(person, linkId, "deny", now);
}

async function decide(
  person: Person,
  linkId: string,
  decision: DoneBy<"person">,
  now: Date,
  grant?: (tx: Statements, link: LinkCode) => Promise<Prisma.LinkCodeUpdateInput>,
) {
  const { to, openAt } = TRANSITIONS[decision];
  const won = await transaction(async (tx) => {
    const [decided] = await tx.linkCode.updateManyAndReturn({
      where: { id: linkId, ...openAt(now) },
      data: { status: to, userId: person.id, decidedAt: now },
    });
    if (!decided) return false;
    if (grant) await tx.linkCode.update({ where: { id: linkId }, data: await grant(tx, decided) });
    const detail = { network: person.network.id, program: claimedName(decided), asked: decided.network };
    await audit({ at: now, action: `link.${decision}`, subjectId: linkId, actorId: person.id, detail }, tx);
    if (decision === "approve" && decided.network !== person.network.id)
      await notify(tx, person.id, "program linked", { network: decided.network }, now);
    return true;
  });
  if (won) return announceChange(linkId);
  const link = await db.linkCode.findUnique({ where: { id: linkId } });
  const didTheSame = link?.userId === person.id && isDenied(link) === (decision === "deny");
  if (!didTheSame) throw unusable();
}

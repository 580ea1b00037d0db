import { z } from "zod";
import { prepareToken } from "@/lib/accounts/identity/access-tokens/create";
import { notify } from "@/lib/accounts/ways-in/mail/outbox";
import { audit } from "@/lib/platform/audit";
import { seal, unseal } from "@/lib/platform/crypto/secrets";
import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { accountDisabled } from "@/lib/platform/errors";
import { describeProgram, siteOf } from "@/lib/platform/user-agent";
import type { LinkCode, Prisma } from "@/prisma/generated/sqlite/client";
import {
  isWithinRequested,
  nameForToken,
  proposedChoice,
  provingFor,
  reportedName,
  requestedAccessOf,
  type TokenChoice,
  tooWide,
} from "./program";
import { COLLECT_WITHIN_SECONDS, type DoneBy, isDenied, secondsAfter, TRANSITIONS } from "./states";
import { type Actor, codeNotFound, unusable } from "./view";
import { announceChange } from "./wait";

/** What the approver decides about a program on another network, as a form of the page names it. */
interface ProgramDecision {
  decision: DoneBy<"approver">;
  network: string;
  /** "": no web page. */
  webPage: string;
  now?: Date;
}

/**
 * Lets only this program collect the token, besides the one that requested the code; or refuses it, and withdraws an
 * earlier permission. Throws 409 `code_unusable` if it has collected, or nothing is left to collect.
 *
 * Updates the request's row first, whatever the decision: of two concurrent decisions, one comes completely after the
 * other.
 */
export async function decideProgram(
  userId: string,
  linkId: string,
  { network, webPage, decision, now = new Date() }: ProgramDecision,
): Promise<void> {
  const allows = decision === "allow";
  const isDone = await transaction(async (tx) => {
    const { to, openAt } = TRANSITIONS[decision];
    const open = { id: linkId, userId, ...openAt(now) };
    const [link] = await tx.linkCode.updateManyAndReturn({
      where: open,
      data: { status: to, ...(allows && { allowedNetwork: network, allowedWebPage: webPage }) },
      select: { codeHash: true },
    });
    if (!link) return false;
    if (!allows)
      await tx.linkCode.updateMany({
        where: { ...open, allowedNetwork: network, allowedWebPage: webPage },
        data: { allowedNetwork: null, allowedWebPage: null },
      });
    await tx.linkQuestion.updateMany({
      where: { codeHash: link.codeHash ?? "", network, webPage },
      data: { refusedAt: allows ? null : now },
    });
    const detail = { network, ...(webPage !== "" && { webPage }) };
    await audit({ at: now, action: `link.${decision}`, subjectId: linkId, actorId: userId, detail }, tx);
    if (allows) await notify(tx, userId, { kind: "program linked", network: { id: network }, now });
    return true;
  });
  if (!isDone) throw unusable();
  announceChange(linkId);
}

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

const ENDINGS: DoneBy<"operator">[] = ["end", "withdraw"];

/**
 * Ends a request by its id, for an operator: nobody can approve it, and its program gets no token, not even if it was
 * approved already. Polls get the same response as for a denied code. Throws 404 `code_not_found`, and 409
 * `code_unusable` if it was over before.
 */
export async function endRequest(actorId: string, linkId: string, now = new Date()): Promise<void> {
  const isDone = await transaction(async (tx) => {
    for (const ending of ENDINGS) {
      const { to, openAt } = TRANSITIONS[ending];
      const [link] = await tx.linkCode.updateManyAndReturn({
        where: { id: linkId, ...openAt(now) },
        // The user who approved it did not deny it.
        data: { status: to, decidedAt: now, userId: null, tokenHash: null, sealed: null, collectBy: null },
        select: { network: true, program: true },
      });
      if (!link) continue;
      await tx.accessToken.deleteMany({ where: { id: linkId, startsAt: null } });
      const detail = { network: link.network, program: describeProgram(link.program) };
      await audit({ at: now, action: "link.end", subjectId: linkId, actorId, detail }, tx);
      return true;
    }
    return false;
  }, "even on a full disk");
  if (!isDone)
    throw (await db.linkCode.count({ where: { id: linkId } })) > 0
      ? unusable("This request has already ended.")
      : codeNotFound("There is no request with this id.");
  announceChange(linkId);
}

const ticket = z.object({
  /** Names it among the tickets of its browser, also in an address: of no use without the cookie. */
  id: z.string(),
  /** When the code was entered, in Unix ms. */
  since: z.number(),
  code: z.string(),
  /** It was entered in another script. */
  isTransliterated: z.boolean(),
  /** It came from a link, so nobody has read it from a program. */
  isFilledIn: z.literal(true).optional(),
  /** The code's request, and the session that entered it; null until somebody signed in. */
  request: z.object({ linkId: z.string(), sessionId: z.string() }).nullable(),
  /** The origin of the page that opened this window and proved its code; undefined if somebody entered the code. */
  opener: z.string().optional(),
  /** Its session has seen that the code cannot be used any more. */
  isClosed: z.literal(true).optional(),
});

/** The browser's record of an entered code, so that it survives signing in. */
export type Ticket = z.infer<typeof ticket>;

/**
 * Whether the user must first say that their program shows these letters: a link brought them, which anyone can have
 * sent, and the program is not known to be on the user's network. `isHere` is undefined if nobody can tell.
 */
export const mustCompare = ({ isFilledIn }: Ticket, isHere: boolean | undefined) =>
  isFilledIn === true && isHere !== true;

const CONTEXT = "link ticket";

/** The ticket as stored in a cookie or a form: it does not show the code and cannot be forged. */
export function sealTicket(open: Ticket): string {
  return seal("link tickets", JSON.stringify(open), CONTEXT);
}

/** The ticket, or null if there is none or it is not ours. */
export function openTicket(sealed: string | undefined): Ticket | null {
  if (!sealed) return null;
  try {
    return ticket.parse(JSON.parse(unseal("link tickets", sealed, CONTEXT)));
  } catch {
    return null;
  }
}

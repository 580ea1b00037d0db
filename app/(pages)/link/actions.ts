"use server";

import { z } from "zod";
import { grantOf } from "@/components/words";
import { rotateToken } from "@/lib/accounts/identity/token";
import { requireRecentProof } from "@/lib/accounts/session/proof";
import { decideProgram } from "@/lib/link/allow";
import { approveRequest, denyRequest } from "@/lib/link/approve";
import { parseEnteredCode } from "@/lib/link/code";
import { findRequest } from "@/lib/link/enter";
import { mustCompare, openTicket, type Ticket } from "@/lib/link/ticket";
import { isOnAnother, isRequestedHere } from "@/lib/link/view";
import { codeOfOpener } from "@/lib/link/window";
import { ApiError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import type { Network } from "@/lib/platform/network/network";
import { removeToken } from "@/lib/user-data/revoke-token";
import { accessField, action, endField, formOf } from "../action";
import { requireProofIfElsewhere, visitor } from "../visitor";
import { addressOf, codeInAddress } from "./address";
import { removeTicket, SECONDS_ONCE_DENIED, storedTickets, storeTicket } from "./ticket-cookie";

// None of them redirects: Next would fetch the page from itself, as if through a proxy, and the client's network would
// be unknown.

/** Takes the entered code to the confirm page, after signing in if necessary. Returns where that is. Links nothing. */
export const continueWithCode = action({
  who: "anyone",
  input: formOf({ code: z.string(), filledIn: z.string().optional() }),
  field: "code",
  async run({ code: entry, filledIn }, _, { network }) {
    const { code, isTransliterated } = codeOf(entry);
    const id = (await storedTickets()).find((ticket) => ticket.code === code)?.id ?? newId();
    const isFilledIn = codeInAddress(entry) !== undefined || isOf(filledIn, code);
    const entered = { id, code, isTransliterated, ...(isFilledIn && { isFilledIn }) };
    return addressOf(await storeEntered(entered, network));
  },
});

const codeOf = (entry: string) => parseEnteredCode(codeInAddress(entry) ?? entry);

/** Whether this is an entry of the code, in whichever form: a field drops line breaks that a link has. */
function isOf(entry: string | undefined, code: string): boolean {
  try {
    return entry !== undefined && codeOf(entry).code === code;
  } catch {
    return false;
  }
}

/** Takes the code of the page that opened this window to the confirm page. Returns where that is. Links nothing. */
export const continueWithOpener = action({
  who: "anyone",
  input: z.object({ code: z.string().max(100), secret: z.string().max(100), origin: z.string().max(200) }),
  async run(opener, _, { network, origin }) {
    const code = await codeOfOpener(opener, origin);
    const entered = { id: newId(), code, isTransliterated: false, opener: opener.origin };
    return addressOf(await storeEntered(entered, network));
  },
});

/** Stores the ticket of a code that somebody enters now. Returns its id. */
async function storeEntered(entered: Omit<Ticket, "since" | "request">, network: Network): Promise<string> {
  const user = await visitor();
  const request = user && {
    linkId: await findRequest({ id: user.id, network }, entered.code),
    sessionId: user.sessionId,
  };
  await storeTicket({ ...entered, since: Date.now(), request });
  return entered.id;
}

const decisionForm = z.object({
  ticket: z.string(),
  decision: z.enum(["approve", "deny"]),
  gives: z.union([z.literal("account"), accessField]),
  ends: endField,
  compared: z.literal("on").optional(),
});

/** What a form says of the request that it showed. Throws 409 `stale_form` unless that was in this session. */
function readDecision<Decision extends { ticket: string }>(
  schema: z.ZodType<Decision>,
  form: FormData,
  sessionId: string,
) {
  const { data: fields } = schema.safeParse(Object.fromEntries(form));
  const ticket = openTicket(fields?.ticket);
  if (!fields || ticket?.request?.sessionId !== sessionId)
    throw new ApiError(409, "stale_form", "You have signed in again since this page was shown. Enter the code again.");
  return { fields, ticket, linkId: ticket.request.linkId };
}

const notCompared = () =>
  new ApiError(400, "not_compared", "Compare the letters with those in your program, and say that they are the same.");

/**
 * Approves, with the token that was chosen, or denies: exactly the request that the form showed, in the session that it
 * was shown to. Approving takes a recent proof if the program is on another network, or the session was opened on one:
 * its cookie may be a stolen one.
 */
export const decide = action({
  input: z.instanceof(FormData),
  // If somebody else was faster, nothing is left to decide.
  refreshes: "always",
  async run(form, user, { network }) {
    const { fields, ticket, linkId } = readDecision(decisionForm, form, user.sessionId);
    const { decision, gives, ends, compared } = fields;
    const approver = { id: user.id, network };
    if (decision === "approve") {
      const isHere = await isRequestedHere(approver, linkId);
      if (mustCompare(ticket, isHere) && !compared) throw notCompared();
      if (isHere === false) await requireRecentProof(user);
      await requireProofIfElsewhere(user);
      const choice = gives === "account" ? gives : grantOf(gives, ends);
      await approveRequest(approver, linkId, { choice, opener: ticket.opener }).catch(closing(ticket));
      await storeTicket(ticket);
    } else {
      await denyRequest(approver, linkId).catch(closing(ticket));
      await storeTicket(ticket, SECONDS_ONCE_DENIED);
    }
  },
});

const otherProgramForm = z.object({
  ticket: z.string(),
  network: z.string().max(200),
  webPage: z.string().max(200),
  answer: z.enum(["allow", "disallow"]),
});

/**
 * Lets a program that did not prove to be the right one collect the token, or refuses it. Letting one takes a recent
 * proof where approving it does.
 */
export const decideOtherProgram = action({
  input: z.instanceof(FormData),
  refreshes: "always",
  async run(form, user, arrival) {
    const { fields, linkId } = readDecision(otherProgramForm, form, user.sessionId);
    const { answer, network, webPage } = fields;
    const decision = answer === "allow" ? "allow" : "disallow";
    if (decision === "allow") {
      if (isOnAnother(network, { id: user.id, network: arrival.network })) await requireRecentProof(user);
      await requireProofIfElsewhere(user);
    }
    await decideProgram(user.id, linkId, { network, webPage, decision });
  },
});

/**
 * Removes the program's own token. Without one, gives the user a new account's token, so that every program with the
 * old one stops. Needs no proof: an alarmed user must be quick, and nobody is shown the new token.
 */
export const revokeAccess = action({
  input: formOf({ token: z.string().max(100) }),
  // If the token is already removed, nothing is left to revoke.
  refreshes: "always",
  async run({ token }, { id }) {
    if (token === "") await rotateToken(id);
    else await removeToken(id, { id: token });
  },
});

/** Discards the code, to enter another. */
export const enterAnother = action({
  who: "anyone",
  input: z.string().max(100),
  refreshes: "always",
  run: (ticketId) => removeTicket(ticketId),
});

/** A late user sees the error once, and from then on that the code is closed: otherwise the page would not change. */
function closing(ticket: Ticket): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error instanceof ApiError && error.code === "code_unusable")
      await storeTicket({ ...ticket, isClosed: true }, SECONDS_ONCE_DENIED);
    throw error;
  };
}

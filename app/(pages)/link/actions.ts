"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { removeToken } from "@/lib/accounts/access-tokens/list";
import { requireRecentProof } from "@/lib/accounts/confirm";
import { rotateToken } from "@/lib/accounts/token";
import { codeOfOpener } from "@/lib/link/access";
import {
  allowProgram,
  approveRequest,
  denyRequest,
  disallowProgram,
  mustCompare,
  openTicket,
  type Ticket,
} from "@/lib/link/approve";
import { parseEnteredCode } from "@/lib/link/code";
import { type Actor, findRequest, isOnAnother, isRequestedHere } from "@/lib/link/view";
import { ApiError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { clientNetwork } from "@/lib/platform/network/client";
import { actor, type Outcome, outcome, pageOrigin, requireProofIfElsewhere, visitor } from "../outcome";
import { accessField, endField, read, readForm } from "../read";
import { grantOf } from "../token-ends";
import { addressOf, codeInAddress } from "./address";
import { removeTicket, SECONDS_ONCE_DENIED, storedTickets, storeTicket } from "./ticket-cookie";

const entryForm = z.object({ code: z.string(), filledIn: z.string().optional() });

/** Takes the entered code to the confirm page, after signing in if necessary. Returns where that is. Links nothing. */
export async function continueWithCode(form: FormData): Promise<Outcome<string>> {
  return outcome(async () => {
    const { code: entry, filledIn } = read(entryForm, readForm(form));
    const { code, isTransliterated } = codeOf(entry);
    const id = (await storedTickets()).find((ticket) => ticket.code === code)?.id ?? newId();
    const isFilledIn = codeInAddress(entry) !== undefined || isOf(filledIn, code);
    return addressOf(await storeEntered({ id, code, isTransliterated, ...(isFilledIn && { isFilledIn: true }) }));
  }, "code");
}

const codeOf = (entry: string) => parseEnteredCode(codeInAddress(entry) ?? entry);

/** Whether this is an entry of the code, in whichever form: a field drops line breaks that a link has. */
function isOf(entry: string | undefined, code: string): boolean {
  try {
    return entry !== undefined && codeOf(entry).code === code;
  } catch {
    return false;
  }
}

const openerForm = z.object({
  code: z.string().max(100),
  secret: z.string().max(100),
  origin: z.string().max(200),
});

/** Takes the code of the page that opened this window to the confirm page. Returns where that is. Links nothing. */
export async function continueWithOpener(fields: z.input<typeof openerForm>): Promise<Outcome<string>> {
  return outcome(async () => {
    const opener = read(openerForm, fields);
    const code = await codeOfOpener(opener, await pageOrigin());
    return addressOf(await storeEntered({ id: newId(), code, isTransliterated: false, opener: opener.origin }));
  });
}

/** Stores the ticket of a code that somebody enters now. Returns its id. */
async function storeEntered(entered: Omit<Ticket, "since" | "request">): Promise<string> {
  const user = await visitor();
  const request = user && {
    linkId: await findRequest(await linkActor(user.id), entered.code),
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
const staleForm = () =>
  new ApiError(409, "stale_form", "You have signed in again since this page was shown. Enter the code again.");

const notCompared = () =>
  new ApiError(400, "not_compared", "Compare the letters with those in your program, and say that they are the same.");

/**
 * Approves, with the token that was chosen, or denies: exactly the request that the form showed, in the session that it
 * was shown to. Approving takes a recent proof if the program is on another network, or the session was opened on one:
 * its cookie may be a stolen one.
 */
export async function decide(form: FormData): Promise<Outcome<void>> {
  return outcome(async () => {
    const user = await actor();
    // Even if refused: if somebody else was faster, nothing is left to decide.
    showNextStep();
    const input = decisionForm.safeParse(readForm(form));
    const ticket = openTicket(input.data?.ticket);
    if (!input.success || ticket?.request?.sessionId !== user.sessionId) throw staleForm();
    const { linkId } = ticket.request;
    const approver = await linkActor(user.id);
    const { decision, gives, ends, compared } = input.data;
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
  });
}

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
export async function decideOtherProgram(form: FormData): Promise<Outcome<void>> {
  return outcome(async () => {
    const user = await actor();
    showNextStep();
    const input = otherProgramForm.safeParse(readForm(form));
    const ticket = openTicket(input.data?.ticket);
    if (!input.success || ticket?.request?.sessionId !== user.sessionId) throw staleForm();
    const { answer, network, webPage } = input.data;
    const isAllowed = answer === "allow";
    if (isAllowed) {
      if (isOnAnother(network, await linkActor(user.id))) await requireRecentProof(user);
      await requireProofIfElsewhere(user);
    }
    await (isAllowed ? allowProgram : disallowProgram)(user.id, ticket.request.linkId, { network, webPage });
  });
}

const revocationForm = z.object({ token: z.string().max(100) });

/**
 * Removes the program's own token. Without one, gives the user a new account's token, so that every program with the
 * old one stops. Needs no proof: an alarmed user must be quick, and nobody is shown the new token.
 */
export async function revokeAccess(form: FormData): Promise<Outcome<void>> {
  return outcome(async () => {
    const { id } = await actor();
    const { token } = read(revocationForm, readForm(form));
    // Even if refused: if the token is already removed, nothing is left to revoke.
    showNextStep();
    if (token === "") await rotateToken(id);
    else await removeToken(id, { id: token });
  });
}

/** Discards the code, to enter another. */
export async function enterAnother(ticketId: string): Promise<Outcome<void>> {
  return outcome(async () => {
    showNextStep();
    await removeTicket(read(z.string().max(100), ticketId));
  });
}

/** A late user sees the error once, and from then on that the code is closed: otherwise the page would not change. */
function closing(ticket: Ticket): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error instanceof ApiError && error.code === "code_unusable")
      await storeTicket({ ...ticket, isClosed: true }, SECONDS_ONCE_DENIED);
    throw error;
  };
}

async function linkActor(id: string): Promise<Actor> {
  return { id, network: clientNetwork(await headers()) };
}

/**
 * Without a redirect: Next would fetch the page from itself, as if through a proxy, and the client's network would be
 * unknown.
 */
function showNextStep(): void {
  refresh();
}

"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { currentUser } from "@/lib/auth/session";
import { rotateToken } from "@/lib/auth/tokens";
import { ApiError } from "@/lib/errors";
import { allowProgram, disallowProgram } from "@/lib/link/allow";
import { codeInAddress } from "@/lib/link/code-in-address";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { findRequest, type Person } from "@/lib/link/find";
import { readEntry } from "@/lib/link/letters";
import { openTicket, type Ticket } from "@/lib/link/ticket";
import { clientNetwork } from "@/lib/network";
import { actor, outcome } from "../outcome";
import { forgetTicket, keepTicket, SECONDS_ONCE_DENIED } from "./ticket-cookie";

/** What was entered, and why it cannot be gone on with; empty where it can. */
export interface EntryState {
  entry: string;
  error: string;
}

/** Takes the letters that a person entered on to the confirm page, by way of signing in where nobody is. Links nothing. */
export async function continueWithCode(_: EntryState, form: FormData): Promise<EntryState> {
  const entry = z.string().catch("").parse(form.get("code"));
  const kept = await outcome(async () => {
    const { letters, lookAlikes } = readEntry(codeInAddress(entry) ?? entry);
    const user = await currentUser();
    const found = user && { linkId: await findRequest(await personAt(user.id), letters), sessionId: user.sessionId };
    await keepTicket({ letters, lookAlikes, found });
  });
  if ("error" in kept) return { entry: entry.slice(0, 100), error: kept.error };
  showNextStep();
  return { entry: "", error: "" };
}

const decisionForm = z.object({ ticket: z.string(), decision: z.enum(["approve", "deny"]) });
const staleForm = () => new ApiError(409, "stale_form", "You signed in anew since this was shown. Enter the code again.");

/** Approves or denies the very request that the form showed, in the very session that it was shown to. Answers why not. */
export async function decide(_: string, form: FormData): Promise<string> {
  const decided = await outcome(async () => {
    const user = await actor();
    // Refused or not: where somebody else was faster, nothing is left to decide.
    showNextStep();
    const sent = decisionForm.safeParse(Object.fromEntries(form));
    const ticket = openTicket(sent.data?.ticket);
    if (!sent.success || ticket?.found?.sessionId !== user.sessionId) throw staleForm();
    const person = await personAt(user.id);
    if (sent.data.decision === "approve") {
      await approveRequest(person, ticket.found.linkId).catch(closing(ticket));
      await keepTicket(ticket);
    } else {
      await denyRequest(person, ticket.found.linkId).catch(closing(ticket));
      await keepTicket(ticket, SECONDS_ONCE_DENIED);
    }
  });
  return "error" in decided ? decided.error : "";
}

const elsewhereForm = z.object({ ticket: z.string(), network: z.string().max(200), webPage: z.string().max(200), answer: z.enum(["allow", "disallow"]) });

/** Lets a program on another network collect the token, or turns it away. Answers why not. */
export async function answerElsewhere(_: string, form: FormData): Promise<string> {
  const answered = await outcome(async () => {
    const user = await actor();
    showNextStep();
    const sent = elsewhereForm.safeParse(Object.fromEntries(form));
    const ticket = openTicket(sent.data?.ticket);
    if (!sent.success || ticket?.found?.sessionId !== user.sessionId) throw staleForm();
    const answer = sent.data.answer === "allow" ? allowProgram : disallowProgram;
    await answer(user.id, ticket.found.linkId, { network: sent.data.network, webPage: sent.data.webPage });
  });
  return "error" in answered ? answered.error : "";
}

/** Gives the user a new token, so that every program with the old one stops. Answers why not. */
export async function takeAccessAway(_: string): Promise<string> {
  const rotated = await outcome(async () => rotateToken((await actor()).id));
  if ("error" in rotated) return rotated.error;
  showNextStep();
  return "";
}

/** Puts the code aside, to enter another. */
export async function enterAnother(): Promise<void> {
  await outcome(forgetTicket);
  showNextStep();
}

/** Who came too late is told so once, and from then on that the code is closed: the page would go on showing what it showed. */
function closing(ticket: Ticket): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error instanceof ApiError && error.code === "code_unusable") await keepTicket({ ...ticket, isClosed: true }, SECONDS_ONCE_DENIED);
    throw error;
  };
}

async function personAt(id: string): Promise<Person> {
  return { id, network: clientNetwork(await headers()) };
}

/** Not by redirecting: Next would fetch the page from itself, as if through a proxy, and it could not tell whose network asks. */
function showNextStep(): void {
  refresh();
}

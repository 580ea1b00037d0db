"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { currentUser } from "@/lib/auth/session";
import { rotateToken } from "@/lib/auth/tokens";
import { ApiError } from "@/lib/errors";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { findRequest } from "@/lib/link/find";
import { readEntry } from "@/lib/link/letters";
import { openTicket } from "@/lib/link/ticket";
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
    const { letters, lookAlikes } = readEntry(entry);
    const user = await currentUser();
    const found = user && { linkId: await findRequest(user, letters), sessionId: user.sessionId };
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
    const decider = { id: user.id, network: clientNetwork(await headers()) };
    if (sent.data.decision === "approve") {
      await approveRequest(decider, ticket.found.linkId);
      await keepTicket(ticket);
    } else {
      await denyRequest(decider, ticket.found.linkId);
      await keepTicket(ticket, SECONDS_ONCE_DENIED);
    }
  });
  return "error" in decided ? decided.error : "";
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
  await forgetTicket();
  showNextStep();
}

/** Not by redirecting: Next would fetch the page from itself, as if through a proxy, and it could not tell whose network asks. */
function showNextStep(): void {
  refresh();
}

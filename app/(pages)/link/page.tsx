import type { Metadata } from "next";
import { headers } from "next/headers";
import form from "@/components/form.module.css";
import { CLOSING_WORDS } from "@/components/link/closing-words";
import { currentUser, type SignedIn } from "@/lib/auth/session";
import { ApiError } from "@/lib/errors";
import { findRequest, type Person } from "@/lib/link/find";
import { linkedPrograms } from "@/lib/link/programs";
import { sealTicket, type Ticket } from "@/lib/link/ticket";
import { viewRequest } from "@/lib/link/view";
import { clientNetwork } from "@/lib/network";
import type { Query } from "../next-path";
import { ApprovedRequest } from "./approved-request";
import { CodeForm } from "./code-form";
import { ConfirmRequest } from "./confirm-request";
import { SignInFirst } from "./sign-in-first";
import { Step } from "./step";
import { keptTicket } from "./ticket-cookie";

export const metadata: Metadata = { title: "Link a program" };

/** One address for all steps: what it shows follows from the kept code, who is signed in, and how the request stands. */
export default async function LinkPage({ searchParams }: { searchParams: Query }) {
  const [{ code }, user, ticket] = await Promise.all([searchParams, currentUser(), keptTicket()]);
  if (typeof code === "string") return entryStep(code.slice(0, 100));
  if (!ticket) return entryStep("");
  if (!user) {
    return (
      <Step name="sign in">
        <SignInFirst letters={ticket.letters} />
      </Step>
    );
  }
  const person = { id: user.id, network: clientNetwork(await headers()) };
  const linkId = await requestOf(user, person, ticket);
  if (linkId instanceof ApiError) return entryStep(ticket.letters, linkId.message);
  return requestStep(user, person, { ...ticket, found: { linkId, sessionId: user.sessionId } }, linkId);
}

function entryStep(entry: string, error = "") {
  return (
    <Step name="entry">
      <div className={form.page}>
        <h1>Link a program</h1>
        <p className={form.lead}>The program shows you six letters. Enter them, and on the next page you decide whether it may act for you.</p>
        <CodeForm entry={entry} error={error} autoFocus />
      </div>
    </Step>
  );
}

/** The request that this session found, or finds now because its user has only just signed in; or why there is none. */
async function requestOf(user: SignedIn, person: Person, ticket: Ticket): Promise<string | ApiError> {
  if (ticket.found?.sessionId === user.sessionId) return ticket.found.linkId;
  return findRequest(person, ticket.letters).catch((error) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
}

async function requestStep(user: SignedIn, person: Person, ticket: Ticket, linkId: string) {
  const request = await viewRequest(person, linkId);
  if (request?.state === "pending" && !ticket.isClosed) {
    return (
      <Step name="pending">
        <ConfirmRequest letters={ticket.letters} lookAlikes={ticket.lookAlikes} username={user.username} request={request} ticket={sealTicket(ticket)} />
      </Step>
    );
  }
  if (request?.state === "approved" || request?.state === "collected") {
    return (
      <Step name={request.state}>
        <ApprovedRequest
          letters={ticket.letters}
          username={user.username}
          request={request}
          ticket={sealTicket(ticket)}
          programs={await linkedPrograms(user.id)}
        />
      </Step>
    );
  }
  const state = request && request.state !== "pending" ? request.state : "closed";
  return (
    <Step name={state}>
      <div className={form.page}>
        <h1>{CLOSING_WORDS[state].title}</h1>
        <p className={form.lead}>{CLOSING_WORDS[state].text}</p>
        <CodeForm entry="" error="" />
      </div>
    </Step>
  );
}

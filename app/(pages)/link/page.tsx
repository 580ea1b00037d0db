import { headers } from "next/headers";
import { MessagePage } from "@/components/page";
import form from "@/components/page.module.css";
import { Step } from "@/components/step";
import { tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import { currentUser, type SignedIn } from "@/lib/accounts/session/current-user";
import { type Actor, findRequest } from "@/lib/link/enter";
import { linkedPrograms } from "@/lib/link/list";
import { COLLECT_WITHIN_SECONDS, isLinked, isUndecided, type LinkedState, type PageState } from "@/lib/link/states";
import { mustCompare, sealTicket, type Ticket } from "@/lib/link/ticket";
import { viewRequest } from "@/lib/link/view";
import { durationInWords } from "@/lib/platform/bounds";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors";
import { clientNetwork } from "@/lib/platform/network/client";
import type { SearchParams } from "../next-path";
import { isPageOfAnother } from "../visitor";
import { addressOf } from "./address";
import { CodeForm } from "./code-form";
import { ConfirmRequestStep, ConfirmSiteStep } from "./later-steps";
import { CloseWindow, CodeFromOpener } from "./opened-window";
import { ApprovedRequest, SignInFirst } from "./steps";
import { storedTickets } from "./ticket-cookie";
import { TokenChoiceFields } from "./token-choice";

interface ClosingWords {
  title: string;
  text: string;
}

const UNUSABLE: ClosingWords = {
  title: "This code can't be used",
  text: "It may have expired or already been used. Ask the program for a new one.",
};

/** The text for a request in a final state. */
const CLOSING: Record<Exclude<PageState, LinkedState>, ClosingWords> = {
  // Others decided, and this user has seen that already.
  pending: UNUSABLE,
  closed: UNUSABLE,
  denied: { title: "Denied", text: "The program gets no access. If it was yours after all, ask it for a new code." },
  uncollected: {
    title: "The program didn't collect the token in time",
    text:
      `It had ${durationInWords(COLLECT_WITHIN_SECONDS)} to do so. Nothing was handed out. ` +
      "Ask the program for a new code.",
  },
  revoked: {
    title: "Access revoked",
    text: "The token no longer works. To keep using a program that had it, link that program again.",
  },
};

export const metadata = { title: "Link a program" };

/**
 * One address for all steps of a request: the step follows from the stored code, the signed-in user, and the state of
 * the request. Without a request in the address, it is the one entered last.
 */
export default async function LinkPage({ searchParams }: { searchParams: SearchParams }) {
  const [{ code, popup, request, new: isNew }, user, tickets] = await Promise.all([
    searchParams,
    currentUser(),
    storedTickets(),
  ]);
  if (popup !== undefined) return openedStep();
  if (typeof code === "string")
    return entryStep(code.slice(0, 100), "", { isFilledIn: true, isSignedIn: user !== null });
  const ticket = request === undefined ? tickets[0] : tickets.find(({ id }) => id === request);
  if (!ticket) return entryStep("");
  if (!user) {
    return (
      <Step name="sign in" address={isNew === undefined ? addressOf(ticket.id) : undefined}>
        <SignInFirst ticket={ticket} isNew={isNew !== undefined && env.ALLOW_SIGNUP} />
      </Step>
    );
  }
  // Another user's page shows none of this, and must not enter the code for this one.
  if (await isPageOfAnother(user)) return null;
  const viewer = { id: user.id, network: clientNetwork(await headers()) };
  const linkId = await requestOf(user, viewer, ticket);
  if (linkId instanceof ApiError) return entryStep(ticket.code, linkId.message, { isFilledIn: ticket.isFilledIn });
  const entered = { ...ticket, request: { linkId, sessionId: user.sessionId } };
  const newer = tickets.slice(0, tickets.indexOf(ticket)).find(({ isClosed }) => !isClosed);
  return requestStep(user, viewer, { ticket: entered, newer: newer?.code ?? null });
}

type EnteredTicket = Ticket & { request: NonNullable<Ticket["request"]> };

/** A link's code is looked up by the page's script, not here, because opening an address changes nothing. */
function entryStep(entry: string, error = "", { isFilledIn = false, isSignedIn = false } = {}) {
  return (
    <Step name="entry">
      <div className={form.page}>
        <h1>Link a program</h1>
        <p className="soft">
          <span>{`Your program shows six letters${entry === "" ? ": enter them here" : ""}. `}</span>
          On the next page, you decide whether it can act on your behalf.
        </p>
        <CodeForm entry={entry} error={error} autoFocus isFilledIn={isFilledIn} goOn={isSignedIn && entry !== ""} />
      </div>
    </Step>
  );
}

/** A page has opened this window, and tells it the code. */
function openedStep() {
  return (
    <Step name="opened">
      <div className={form.page}>
        <h1>Link a program</h1>
        <CodeFromOpener otherwise={<CodeForm entry="" error="" autoFocus />} />
      </div>
    </Step>
  );
}

/** The request that this session entered, or enters now after its user has just signed in; or why there is none. */
async function requestOf(user: SignedIn, viewer: Actor, ticket: Ticket): Promise<string | ApiError> {
  if (ticket.request?.sessionId === user.sessionId) return ticket.request.linkId;
  return findRequest(viewer, ticket.code).catch((error) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
}

/** `newer`: the code of another request, which this browser has entered since. */
async function requestStep(
  user: SignedIn,
  viewer: Actor,
  { ticket, newer }: { ticket: EnteredTicket; newer: string | null },
) {
  const request = await viewRequest(viewer, ticket.request.linkId);
  if (!request) return closedStep(UNUSABLE, ticket);
  if (isUndecided(request.state) && !ticket.isClosed) {
    const choice = <TokenChoiceFields {...request} />;
    const common = { username: user.username, request, ticketId: ticket.id, ticket: sealTicket(ticket) };
    if (ticket.opener !== undefined && ticket.opener === request.webPage)
      return (
        <Step name="confirm" address={addressOf(ticket.id)}>
          <ConfirmSiteStep {...common} opener={ticket.opener}>
            {choice}
          </ConfirmSiteStep>
        </Step>
      );
    return (
      <Step name="confirm" address={addressOf(ticket.id)}>
        <ConfirmRequestStep
          {...common}
          code={ticket.code}
          isTransliterated={ticket.isTransliterated}
          mustCompare={mustCompare(ticket, request.requested.isYours)}
          newer={newer}
        >
          {choice}
        </ConfirmRequestStep>
      </Step>
    );
  }
  if (isLinked(request.state)) {
    const [programs, tokens] = await Promise.all([linkedPrograms(user.id), tokensOf(user.id)]);
    return (
      <Step name={request.state} address={addressOf(ticket.id)}>
        <ApprovedRequest
          code={ticket.code}
          isOpened={ticket.opener !== undefined}
          username={user.username}
          request={request}
          ticketId={ticket.id}
          ticket={sealTicket(ticket)}
          programs={programs}
          tokens={tokens}
        />
      </Step>
    );
  }
  return closedStep(CLOSING[request.state], ticket);
}

function closedStep({ title, text }: ClosingWords, { id, opener }: Ticket) {
  return (
    <Step name={title} address={addressOf(id)}>
      <MessagePage title={title} text={text}>
        {opener === undefined ? <CodeForm entry="" error="" /> : <CloseWindow />}
      </MessagePage>
    </Step>
  );
}

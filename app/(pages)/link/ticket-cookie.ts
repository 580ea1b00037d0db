import { cookies } from "next/headers";
import { ownCookie } from "@/lib/accounts/session/cookies";
import { cookieAt } from "@/lib/accounts/session/session-cookie";
import { APPROVE_WITHIN_SECONDS, COLLECT_WITHIN_SECONDS } from "@/lib/link/states";
import { openTicket, sealTicket, type Ticket } from "@/lib/link/ticket";
import { pageOrigin } from "../visitor";

const PATH = "/link";
/** Each request has a cookie of its own, so that no tab changes what another one is about. */
const nameFor = (ticketId: string) => `link.${ticketId}`;
/** Tickets that a browser stores; one more ends the oldest. */
const MAX_TICKETS = 5;
/** The time in which a code can be approved and then collected. */
const SECONDS = APPROVE_WITHIN_SECONDS + COLLECT_WITHIN_SECONDS;
/** Enough time to read that it was denied. A later visit brings another code. */
export const SECONDS_ONCE_DENIED = 60;

/** The tickets of the codes that this browser is working on, the one entered last first. */
export async function storedTickets(): Promise<Ticket[]> {
  const origin = await pageOrigin();
  const tickets = (await cookies()).getAll().flatMap(({ name, value }) => {
    const ticket = name.startsWith(cookieAt(origin, nameFor(""), PATH).name) ? openTicket(value) : null;
    return ticket && name === cookieAt(origin, nameFor(ticket.id), PATH).name ? [ticket] : [];
  });
  return tickets.sort((one, other) => other.since - one.since);
}

/** Stores the code during sign-in: in a cookie that no script can read, never in an address. */
export async function storeTicket(ticket: Ticket, maxAge = SECONDS): Promise<void> {
  const others = (await storedTickets()).filter(({ id }) => id !== ticket.id);
  for (const { id } of others.slice(MAX_TICKETS - 1)) await removeTicket(id);
  (await ownCookie(nameFor(ticket.id), PATH)).set(sealTicket(ticket), maxAge);
}

export async function removeTicket(id: string): Promise<void> {
  (await ownCookie(nameFor(id), PATH)).remove();
}

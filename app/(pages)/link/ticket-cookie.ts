import { cookies } from "next/headers";
import { openTicket, sealTicket, type Ticket } from "@/lib/link/ticket";
import { pageOrigin } from "../origin";

/** Before the ticket's id: each request has a cookie of its own, so that no tab changes what another one is about. */
const PREFIX = "latchkey_link_";
/** Tickets that a browser keeps; one more ends the oldest. */
export const MOST_TICKETS = 5;
/** The time in which a code can be approved and then collected. */
const SECONDS = 15 * 60;
/** Enough time to read that it was denied. A later visit brings another code. */
export const SECONDS_ONCE_DENIED = 60;

/** The tickets of the codes that this browser is working on, the one entered last first. */
export async function keptTickets(): Promise<Ticket[]> {
  const kept = (await cookies()).getAll().flatMap(({ name, value }) => {
    const ticket = name.startsWith(PREFIX) ? openTicket(value) : null;
    return ticket && name === PREFIX + ticket.id ? [ticket] : [];
  });
  return kept.sort((one, other) => other.since - one.since);
}

/** Keeps the code during sign-in: in a cookie that no script can read, never in an address. */
export async function keepTicket(ticket: Ticket, maxAge = SECONDS): Promise<void> {
  const others = (await keptTickets()).filter(({ id }) => id !== ticket.id);
  for (const { id } of others.slice(MOST_TICKETS - 1)) await forgetTicket(id);
  const secure = (await pageOrigin()).startsWith("https:");
  const attributes = { httpOnly: true, sameSite: "lax", secure, path: "/link", maxAge } as const;
  (await cookies()).set(PREFIX + ticket.id, sealTicket(ticket), attributes);
}

export async function forgetTicket(id: string): Promise<void> {
  (await cookies()).delete({ name: PREFIX + id, path: "/link" });
}

import { ownCookie } from "@/lib/auth/own-cookie";
import { openTicket, sealTicket, type Ticket } from "@/lib/link/ticket";

const ticketCookie = () => ownCookie("link", "/link");
/** The time in which a code can be approved and then collected. */
const SECONDS = 15 * 60;
/** Enough time to read that it was denied. A later visit brings another code. */
export const SECONDS_ONCE_DENIED = 60;

/** The ticket of the code that this browser is working on, or null. */
export async function keptTicket(): Promise<Ticket | null> {
  return openTicket((await ticketCookie()).value);
}

/** Keeps the code during sign-in: in a cookie that no script can read, never in an address. */
export async function keepTicket(ticket: Ticket, maxAge = SECONDS): Promise<void> {
  (await ticketCookie()).set(sealTicket(ticket), maxAge);
}

export async function forgetTicket(): Promise<void> {
  (await ticketCookie()).remove();
}

import { cookies } from "next/headers";
import { openTicket, sealTicket, type Ticket } from "@/lib/link/ticket";
import { pageOrigin } from "../origin";

const NAME = "latchkey_link";
/** The time in which a code can be approved and then collected. */
const SECONDS = 15 * 60;
/** Enough time to read that it was denied. A later visit brings another code. */
export const SECONDS_ONCE_DENIED = 60;

/** The ticket of the code that this browser is working on, or null. */
export async function keptTicket(): Promise<Ticket | null> {
  return openTicket((await cookies()).get(NAME)?.value);
}

/** Keeps the code during sign-in: in a cookie that no script can read, never in an address. */
export async function keepTicket(ticket: Ticket, maxAge = SECONDS): Promise<void> {
  const secure = (await pageOrigin()).startsWith("https:");
  (await cookies()).set(NAME, sealTicket(ticket), { httpOnly: true, sameSite: "lax", secure, path: "/link", maxAge });
}

export async function forgetTicket(): Promise<void> {
  (await cookies()).delete({ name: NAME, path: "/link" });
}

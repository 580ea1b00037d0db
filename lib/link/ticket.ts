import { z } from "zod";
import { seal, unseal } from "@/lib/secrets";

const ticket = z.object({
  /** Names it among the tickets of its browser, also in an address: of no use without the cookie. */
  id: z.string(),
  /** When the code was entered, in Unix ms. */
  since: z.number(),
  letters: z.string(),
  /** The letters were typed in another script. */
  lookAlikes: z.boolean(),
  /** The request found, and the session that found it; null until somebody signed in. */
  found: z.object({ linkId: z.string(), sessionId: z.string() }).nullable(),
  /** Its session was told that the code cannot be used any more. */
  isClosed: z.literal(true).optional(),
});

/** The browser's record of an entered code, so that it survives signing in. */
export type Ticket = z.infer<typeof ticket>;

const CONTEXT = "link ticket";

/** The ticket as stored in a cookie or a form: it does not show the letters and cannot be forged. */
export function sealTicket(open: Ticket): string {
  return seal("link tickets", JSON.stringify(open), CONTEXT);
}

/** The ticket, or null if there is none or it is not ours. */
export function openTicket(sealed: string | undefined): Ticket | null {
  if (!sealed) return null;
  try {
    return ticket.parse(JSON.parse(unseal("link tickets", sealed, CONTEXT)));
  } catch {
    return null;
  }
}

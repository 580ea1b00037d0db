import { z } from "zod";
import { seal, unseal } from "@/lib/secrets";

const ticket = z.object({
  letters: z.string(),
  /** The letters were typed in another script. */
  lookAlikes: z.boolean(),
  /** The request that was found, and the session that found it; null until somebody signed in. */
  found: z.object({ linkId: z.string(), sessionId: z.string() }).nullable(),
  /** Its session was told that the code cannot be used any more. */
  isClosed: z.literal(true).optional(),
});

/** What a browser keeps of a code that somebody entered, so that it survives signing in. */
export type Ticket = z.infer<typeof ticket>;

const CONTEXT = "link ticket";

/** The ticket as a browser keeps it, in a cookie or a form: it neither shows the letters nor can be made up. */
export function sealTicket(open: Ticket): string {
  return seal("link tickets", JSON.stringify(open), CONTEXT);
}

/** The ticket, or null when there is none or it is not ours. */
export function openTicket(sealed: string | undefined): Ticket | null {
  if (!sealed) return null;
  try {
    return ticket.parse(JSON.parse(unseal("link tickets", sealed, CONTEXT)));
  } catch {
    return null;
  }
}

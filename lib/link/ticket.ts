import { z } from "zod";
import { seal, unseal } from "@/lib/platform/crypto/secrets";

const ticket = z.object({
  /** Names it among the tickets of its browser, also in an address: of no use without the cookie. */
  id: z.string(),
  /** When the code was entered, in Unix ms. */
  since: z.number(),
  code: z.string(),
  /** It was entered in another script. */
  isTransliterated: z.boolean(),
  /** It came from a link, so nobody has read it from a program. */
  isFilledIn: z.literal(true).optional(),
  /** The code's request, and the session that entered it; null until somebody signed in. */
  request: z.object({ linkId: z.string(), sessionId: z.string() }).nullable(),
  /** The origin of the page that opened this window and proved its code; undefined if somebody entered the code. */
  opener: z.string().optional(),
  /** Its session has seen that the code cannot be used any more. */
  isClosed: z.literal(true).optional(),
});

/** The browser's record of an entered code, so that it survives signing in. */
export type Ticket = z.infer<typeof ticket>;

/**
 * Whether the user must first say that their program shows these letters: a link brought them, which anyone can have
 * sent, and the program is not known to be on the user's network. `isHere` is undefined if nobody can tell.
 */
export const mustCompare = ({ isFilledIn }: Ticket, isHere: boolean | undefined) =>
  isFilledIn === true && isHere !== true;

const CONTEXT = "link ticket";

/** The ticket as stored in a cookie or a form: it does not show the code and cannot be forged. */
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

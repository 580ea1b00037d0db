import { z } from "zod";
import { CODE_LENGTH } from "./letters";

/** Exactly what the interface document shows, and nothing beside it (contract, section 4). */
export const codeAnswer = z.strictObject({ code: z.string().length(CODE_LENGTH) });

export const linkedAnswer = z.strictObject({ linked: z.literal(true), token: z.string() });

/** The body of every answer that is not a token. */
export const NOT_LINKED = { linked: false, token: "" };

import { z } from "zod";
import { portable } from "./portable";

/** 1: not signed. 2: with rows in the clear, and the secrets if the service had created them. 3: sealed. */
export const FORMATS = [1, 2, 3] as const;

/**
 * The first line of a backup. Lines of a table follow the table's own line; the last line has the hash of everything
 * before it, and its signature.
 */
export const header = z
  .object({
    latchkey: z.literal("backup"),
    format: z.literal(FORMATS),
    at: z.iso.datetime(),
    /** The format of the rows. */
    migrations: z.array(z.string().regex(/^\w{1,100}$/)).min(1),
    /** The secrets that tokens need, by fingerprint. */
    needs: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
    /** Formats 1 and 2: the secrets themselves, if the service created them and they are stored nowhere else. */
    secrets: z
      .array(z.string().regex(/^[^\s,]{32,}$/))
      .min(1)
      .optional(),
    /** The secrets, for who has the passphrase. */
    portable: portable.optional(),
  })
  .refine(({ format, secrets, portable }) => (format === 3 ? !secrets : !portable));

export type Header = z.infer<typeof header>;

/** The last line of a backup. */
export const end = z.object({ lines: z.int(), sha256: z.string(), signature: z.string().optional() });

export type End = z.infer<typeof end>;

import { createHash, randomBytes } from "node:crypto";
import { LINK_HOURS } from "@/lib/platform/bounds";
import { keyedHash } from "@/lib/platform/crypto/secrets";
import { deleteInBatches } from "@/lib/platform/db/lock";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors";
import { HOUR_MS, lasting } from "@/lib/platform/time";

const LINK_MS = LINK_HOURS * HOUR_MS;

/** A new link to one of our pages, and what is stored of it. */
interface NewLink {
  /** The secret is in the fragment, which browsers send to no server: it gets into no log and no Referer. */
  link: string;
  /** SHA-256, hex. */
  hash: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Why a command creates no link. */
export const NEEDS_ADDRESS =
  "NEXTAUTH_URL must be set to create links here: the address that people open. The console and the pages create " +
  "them without it. Nothing was changed.";

/**
 * A link for 24 hours, with 256 random bits. `origin`: where people open this service. Throws an Error without one, if
 * the service's address is not configured.
 */
export function newLink(
  page: "/invite" | "/recover/link" | "/email",
  { now, origin = env.NEXTAUTH_URL, secret = newSecret() }: { now: Date; origin?: string; secret?: string },
): NewLink {
  if (!origin) throw new Error(NEEDS_ADDRESS);
  const expiresAt = new Date(now.getTime() + LINK_MS);
  return { link: `${origin}${page}#${secret}`, hash: hashSecret(secret), createdAt: now, expiresAt };
}

/** Links that can be used: neither over, nor from before the clock was set back. */
export const isOpenLink = (now: Date) => ({ expiresAt: lasting(LINK_MS, now) });

const SECRET_BYTES = 32;
const SECRET_LENGTH = Math.ceil((SECRET_BYTES * 4) / 3);

/** A new secret of a link: 256 random bits. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

/**
 * The secret of the link in a stored message: the same each time it is sent, so that one that may have arrived stays
 * good. Nobody has it from the database alone.
 */
export const mailedSecret = (mailId: string): string =>
  Buffer.from(keyedHash("mailed links", mailId), "hex").toString("base64url");

/** The look-up value of a link's secret. Throws 404 `bad_link` for a text that is longer than any. */
export function hashSecret(secret: string): string {
  if (secret.length > SECRET_LENGTH) throw badLink();
  return createHash("sha256").update(secret).digest("hex");
}

/** The same for a used, ended, replaced and unknown link: somebody who guesses learns nothing. */
export const badLink = () =>
  new ApiError(
    404,
    "bad_link",
    "This link doesn't work. It may have been used or replaced, or the address may be incomplete.",
  );

/** Deletes expired recovery links and invitations, in small statements. Returns how many. */
export async function sweepOneTimeLinks(now = new Date()): Promise<number> {
  const where = { expiresAt: { lte: now } };
  const links = await deleteInBatches((tx, limit) => tx.recoveryLink.deleteMany({ where, limit }));
  return links + (await deleteInBatches((tx, limit) => tx.invitation.deleteMany({ where, limit })));
}

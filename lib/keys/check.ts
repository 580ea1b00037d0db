import { usernameKey } from "@/lib/accounts/identity/user";
import { type SignedType, signForShipped } from "@/lib/platform/crypto/signing-keys";
import { db, sql } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { DAY_MS, later } from "@/lib/platform/time";
import { unixSeconds } from "./access";
import { holding } from "./queries";

const TYPE: SignedType = "proof+jwt";

/** What was asked, and of which service. */
interface Question {
  username: string;
  key: string;
  nonce: string;
  issuer: string;
}

/**
 * Says, signed, whether the user holds the key, for PROOF_DAYS, or until the access ends. Only a holder's has an id: of
 * others, nobody learns whether the user exists.
 */
export async function proofOf(held: Holding | null, question: Question, now = new Date()): Promise<string> {
  const { username, key, nonce, issuer } = question;
  const end = later(now, env.PROOF_DAYS * DAY_MS);
  const until = held?.until && held.until < end ? held.until : end;
  // Not part of the statement that says who holds a key: that is a tenth slower with it.
  const user =
    held && (await db.user.findUnique({ where: { usernameKey: usernameKey(username) }, select: { id: true } }));
  return signForShipped(TYPE, {
    iss: issuer,
    sub: user?.id,
    username,
    key,
    owned: held !== null,
    nonce,
    iat: unixSeconds(now),
    exp: unixSeconds(until),
  });
}

/** That a user holds a key, and until when, if that ends. */
interface Holding {
  until: Date | null;
}

/**
 * How this user holds this key: until when, if that ends. Null if not at all, or if either does not exist (contract,
 * section 2: /keys/check).
 */
export async function holdingOf(username: string, keyId: string): Promise<Holding | null> {
  const [held] = await sql.readQuickly(holding(usernameKey(username), keyId));
  return held ? { until: held.until } : null;
}

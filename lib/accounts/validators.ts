import { errors, type JSONWebKeySet, jwtVerify } from "jose";
import { z } from "zod";
import { VALIDATOR_SECONDS } from "@/lib/platform/bounds";
import { publishedSigningKeys, type SignedType, sign, signingKeyById } from "@/lib/platform/crypto/signing-keys";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import type { Caller } from "./user";

const TYPE: SignedType = "validator+jwt";
const MAX_TEXT = 200;
const MAX_VALIDATOR = 4_096;

/** A text that a program chooses, and that comes back signed. */
export const signedText = z
  .string()
  .refine(
    (text) => /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u.test(text) && [...text].length <= MAX_TEXT,
    `must have 1 to ${MAX_TEXT} characters on one line`,
  );

/** A validator, or what is presented as one. */
export const validatorText = z
  .string()
  .min(1)
  .max(MAX_VALIDATOR, `can have ${MAX_VALIDATOR} characters at most`)
  .describe("A validator, as /generate_validator returned it.");

/** Says, signed, who the caller is, for one audience: whatever name that server goes by. */
export async function createValidator(
  { id, username }: Caller,
  { audience, issuer, now = new Date() }: { audience: string; issuer: string; now?: Date },
): Promise<{ validator: string; expires_at: number }> {
  const iat = Math.floor(now.getTime() / 1_000);
  const exp = iat + VALIDATOR_SECONDS;
  const claims = { iss: issuer, sub: id, username, aud: audience, jti: newId(), iat, exp };
  return { validator: await sign(TYPE, claims), expires_at: exp };
}

/** What a validator says, or why it says nothing. */
export type Validation = { valid: true; id: string; username: string } | { valid: false; error: string };

const refused = (error: string): Validation => ({ valid: false, error });

/** Checks a validator, and that its user may still sign in. */
export async function checkValidator(validator: string, audience: string, now = new Date()): Promise<Validation> {
  let subject: string | undefined;
  try {
    const { payload } = await jwtVerify(validator, ({ kid = "" }) => publicKey(kid), {
      algorithms: ["EdDSA"],
      typ: TYPE,
      audience,
      issuer: env.NEXTAUTH_URL,
      requiredClaims: ["sub", "exp", "iat"],
      currentDate: now,
    });
    subject = payload.sub;
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    return refused(whyRefused(error));
  }
  const user = await db.user.findUnique({
    where: { id: subject },
    select: { id: true, username: true, disabledAt: true, deletingAt: true },
  });
  if (!user || user.disabledAt || user.deletingAt) return refused("The account is disabled or was deleted.");
  return { valid: true, id: user.id, username: user.username };
}

/** The public keys with which others check what is signed (RFC 7517), the one in use first. */
export async function publicKeySet(): Promise<JSONWebKeySet> {
  return { keys: (await publishedSigningKeys()).map(({ jwk }) => jwk) };
}

async function publicKey(kid: string) {
  const key = await signingKeyById(kid);
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key.publicKey;
}

/** What another audience is told does not depend on the time. */
function whyRefused(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return "The validator has expired.";
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === "aud")
    return "The validator is for another audience.";
  return "This is not a validator of this service.";
}

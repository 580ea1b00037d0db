import { errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import { MAX_AUDIENCE, VALIDATOR_SECONDS } from "@/lib/platform/bounds";
import { publishedSigningKeys, type SignedType, sign, signingKeyById } from "@/lib/platform/crypto/signing-keys";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { isLasting } from "@/lib/platform/time";
import { audienceNotApproved } from "../errors";
import type { Caller } from "./user";

const TYPE: SignedType = "validator+jwt";
const MAX_VALIDATOR = 4_096;

/** A text that a program chooses, and that comes back signed. */
export const signedText = z
  .string()
  .refine(
    (text) => /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u.test(text) && [...text].length <= MAX_AUDIENCE,
    `must have 1 to ${MAX_AUDIENCE} characters on one line`,
  );

/** A validator, or what is presented as one. */
export const validatorText = z
  .string()
  .min(1, "must not be empty")
  .max(MAX_VALIDATOR, `can have ${MAX_VALIDATOR} characters at most`)
  .describe("A validator, as /generate_validator returned it.");

/**
 * Says, signed, who the caller is, for one audience: whatever name that server goes by. Throws 403
 * `audience_not_approved` for one that the caller's token was not approved for; the account's may name any.
 */
export async function createValidator(
  { id, username, accessToken }: Caller,
  { audience, issuer, now = new Date() }: { audience: string; issuer: string; now?: Date },
): Promise<{ validator: string; expires_at: number }> {
  const { audiences = null, party = "" } = accessToken ?? {};
  if (audiences && !audiences.includes(audience)) throw audienceNotApproved(audiences);
  const iat = Math.floor(now.getTime() / 1_000);
  const exp = iat + VALIDATOR_SECONDS;
  const parties = { aud: audience, ...(party !== "" && { azp: party }) };
  const claims = { iss: issuer, sub: id, username, ...parties, jti: newId(), iat, exp };
  return { validator: await sign(TYPE, claims), expires_at: exp };
}

/** What a validator says, or why it says nothing. */
export type Validation = { valid: true; id: string; username: string; azp?: string } | { valid: false; error: string };

const NOT_OURS = "This is not a validator of this service.";
const EXPIRED = "The validator has expired.";
const refused = (error: string): Validation => ({ valid: false, error });

/**
 * Checks a validator, and that its user may still sign in. One from before the clock was set back does not count, and
 * one that is written in another way is none: a server that takes each validator once may compare their texts.
 */
export async function checkValidator(validator: string, audience: string, now = new Date()): Promise<Validation> {
  if (!isCanonical(validator)) return refused(NOT_OURS);
  let claims: JWTPayload;
  try {
    const { payload } = await jwtVerify(validator, ({ kid = "" }) => publicKey(kid), {
      algorithms: ["EdDSA"],
      typ: TYPE,
      audience,
      issuer: env.NEXTAUTH_URL,
      requiredClaims: ["sub", "exp", "iat"],
      currentDate: now,
    });
    claims = payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    return refused(whyRefused(error));
  }
  if (!isLasting(VALIDATOR_SECONDS * 1_000, new Date(Number(claims.exp) * 1_000), now)) return refused(EXPIRED);
  const user = await db.user.findUnique({
    where: { id: claims.sub },
    select: { id: true, username: true, disabledAt: true, deletingAt: true },
  });
  if (!user || user.disabledAt || user.deletingAt) return refused("The account is disabled or was deleted.");
  const azp = typeof claims.azp === "string" && { azp: claims.azp };
  return { valid: true, id: user.id, username: user.username, ...azp };
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
  if (error instanceof errors.JWTExpired) return EXPIRED;
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === "aud")
    return "The validator is for another audience.";
  return NOT_OURS;
}

/** The signature, which is not signed itself, is also decoded from texts with blanks, padding or other last bits. */
function isCanonical(validator: string): boolean {
  const signature = validator.slice(validator.lastIndexOf(".") + 1);
  return Buffer.from(signature, "base64url").toString("base64url") === signature;
}

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { keyedHashes } from "@/lib/platform/crypto/secrets";
import type { Statements } from "@/lib/platform/db/client";
import { isUniqueViolation } from "@/lib/platform/db/errors";
import { deleteInBatches } from "@/lib/platform/db/lock";
import { isLasting } from "@/lib/platform/time";
import type { NetworkContext } from "../../context";
import { passkeyExpired, passkeyRefused, passkeyUnfit } from "../../errors";
import type { RelyingParty } from "../../identity/relying-party";

export const CHALLENGE_SECONDS = 5 * 60;
const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 32;

/**
 * What the response to a challenge does, for whom, in which browser. One for anything else is refused. A passkey alone
 * is enough, without a name, password or second factor: it is one that the authenticator finds by itself, and it
 * verifies its user by finger, face or PIN.
 */
export interface Ceremony {
  purpose: "sign in" | "sign up" | "add" | "recover" | "confirm";
  party: RelyingParty;
  /** The browser's name in its cookie. */
  browser: string;
  /** The account, with its session if there is one, or the name that signs up; empty for signing in. */
  subject: string;
}

/** What a challenge is bound to. */
type Bound = Omit<Ceremony, "party">;

/**
 * A new challenge, base64url. It names its own end and is authenticated with our secret, so it is stored nowhere:
 * requesting any number of them costs nothing. Any process with the secret recognises it.
 */
export function newChallenge(ceremony: Bound, now = new Date()): string {
  const nonce = randomBytes(NONCE_BYTES);
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUIntBE(now.getTime() + CHALLENGE_SECONDS * 1000, 0, TIME_BYTES);
  const head = Buffer.concat([nonce, time]);
  return Buffer.concat([head, macs(head, ceremony)[0]]).toString("base64url");
}

/** A challenge whose response came in time. */
export interface VerifiedChallenge {
  text: string;
  expiresAt: Date;
}

/**
 * The challenge of a browser's response, if it is ours, for this ceremony, and not over. Throws 401 `passkey_expired`
 * and `passkey_refused`. Whether it was used before only `consumeChallenge` finds out.
 */
export function verifyChallenge(clientDataJSON: string, ceremony: Bound, now: Date): VerifiedChallenge {
  const text = challengeIn(clientDataJSON);
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== NONCE_BYTES + TIME_BYTES + MAC_BYTES || bytes.toString("base64url") !== text)
    throw passkeyRefused();
  const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
  const mac = bytes.subarray(NONCE_BYTES + TIME_BYTES);
  // A browser that lost its cookie looks like another one.
  if (!macs(head, ceremony).some((valid) => timingSafeEqual(valid, mac))) throw passkeyExpired();
  const expiresAt = new Date(head.readUIntBE(NONCE_BYTES, TIME_BYTES));
  if (!isLasting(CHALLENGE_SECONDS * 1_000, expiresAt, now)) throw passkeyExpired();
  return { text, expiresAt };
}

function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    return String(challenge);
  } catch {
    throw passkeyRefused();
  }
}

/** One under each secret. */
function macs(head: Buffer, { purpose, browser, subject }: Bound): [Buffer, ...Buffer[]] {
  const text = JSON.stringify([head.toString("hex"), purpose, browser, subject]);
  const [first, ...others] = keyedHashes("passkeys", text).map((hash) => Buffer.from(hash, "hex"));
  return [first as Buffer, ...others];
}

/**
 * Records that a challenge was used. Of several responses, in any process, only one gets through: the others throw
 * 401 `passkey_expired`. Called once the response was verified, so that only those who have a passkey store anything.
 */
export async function consumeChallenge(tx: Statements, { text, expiresAt }: VerifiedChallenge): Promise<void> {
  const hash = createHash("sha256").update(text).digest("hex");
  try {
    await tx.usedChallenge.create({ data: { hash, expiresAt } });
  } catch (error) {
    if (isUniqueViolation(error)) throw passkeyExpired();
    throw error;
  }
}

/** Forgets used challenges that have expired since: nobody can use those any more. Returns how many. */
export const sweepChallenges = (now = new Date()): Promise<number> =>
  deleteInBatches((tx, limit) => tx.usedChallenge.deleteMany({ where: { expiresAt: { lte: now } }, limit }));

/** Base64url of at most this many bytes. */
const bytes = (max: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(Math.ceil((max * 4) / 3));
/** The longest that WebAuthn allows. */
const credentialId = bytes(1_023);
const clientDataJSON = bytes(2_048);
/** Most authenticators name one or two; WebAuthn knows six. */
const transports = z.array(z.string().regex(/^[a-z-]{1,20}$/)).max(8);

const registration = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  response: z.object({ clientDataJSON, attestationObject: bytes(4_096), transports: transports.optional() }),
});
export type Registration = z.infer<typeof registration>;

const assertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON,
    authenticatorData: bytes(1_024),
    signature: bytes(1_024),
    userHandle: bytes(64).nullish(),
  }),
});
export type Assertion = z.infer<typeof assertion>;

/** What a browser sends for a new passkey. Throws 401 `passkey_unfit` unless it has the form and size of one. */
export function readRegistration(input: unknown): Registration {
  const { data } = registration.safeParse(input);
  if (!data) throw passkeyUnfit();
  return data;
}

/** What a browser sends to sign in. Throws 401 `passkey_refused` unless it has the form and size of that. */
export function readAssertion(input: unknown): Assertion {
  const { data } = assertion.safeParse(input);
  if (!data) throw passkeyRefused();
  return data;
}

/** As the verifying package expects them. */
export const forVerifying = {
  registration: ({ response: { transports: _, ...response }, ...other }: Registration): RegistrationResponseJSON => ({
    ...other,
    response,
    clientExtensionResults: {},
  }),
  assertion: ({ response: { userHandle, ...response }, ...other }: Assertion): AuthenticationResponseJSON => ({
    ...other,
    response: { ...response, userHandle: userHandle ?? undefined },
    clientExtensionResults: {},
  }),
};

/** Where the response of a passkey comes from. */
export interface PasskeyContext extends NetworkContext {
  party: RelyingParty;
  /** The browser that the challenge was created for. */
  browser: string;
}

import { generateAuthenticationOptions, verifyAuthenticationResponse } from "@simplewebauthn/server";
import { audit } from "@/lib/platform/audit";
import { db, transaction } from "@/lib/platform/db/client";
import { passkeyRefused, passkeyUnknown } from "../../errors";
import type { RelyingParty } from "../../identity/relying-party";
import {
  type Assertion,
  type Ceremony,
  CHALLENGE_SECONDS,
  consumeChallenge,
  forVerifying,
  newChallenge,
  readAssertion,
  type VerifiedChallenge,
  verifyChallenge,
} from "./challenge";
import { credentialsFor } from "./list";

/**
 * What a browser needs to offer the passkeys that it has for this host, whoever's they are; with `userId`, only those
 * of this user.
 */
export async function requestOptions(
  ceremony: Ceremony,
  { userId, now = new Date() }: { userId?: string; now?: Date } = {},
) {
  const { party } = ceremony;
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(Buffer.from(newChallenge(ceremony, now), "base64url")),
    timeout: CHALLENGE_SECONDS * 1000,
    userVerification: "required",
    allowCredentials: userId === undefined ? undefined : await credentialsFor(userId, party),
  });
}

/** A user who has just used one of their passkeys. */
export interface PasskeyUser {
  id: string;
  username: string;
  disabledAt: Date | null;
  passkeyId: string;
}

/**
 * The user whose passkey responded. Each challenge is good for one response. A count of uses that does not grow means
 * that the passkey was copied: it is refused and recorded. Throws 401 `passkey_unknown`, `passkey_refused` and
 * `passkey_expired`.
 */
export async function provePasskey(input: unknown, ceremony: Ceremony, now = new Date()): Promise<PasskeyUser> {
  const assertion = readAssertion(input);
  const challenge = verifyChallenge(assertion.response.clientDataJSON, ceremony, now);
  const passkey = await db.passkey.findUnique({
    where: { credentialId: assertion.id, host: ceremony.party.id },
    select: {
      id: true,
      name: true,
      publicKey: true,
      user: { select: { id: true, username: true, disabledAt: true } },
    },
  });
  if (!passkey) throw passkeyUnknown();
  if (isOfAnother(assertion, passkey.user.id)) throw passkeyRefused();
  const counter = await countOfUses(assertion, passkey.publicKey, { party: ceremony.party, challenge });
  if (!(await recordUse({ ...passkey, counter }, challenge, now))) throw passkeyRefused();
  return { ...passkey.user, passkeyId: passkey.id };
}

function isOfAnother({ response: { userHandle } }: Assertion, userId: string): boolean {
  return typeof userHandle === "string" && Buffer.from(userHandle, "base64url").toString("utf8") !== userId;
}

async function countOfUses(
  assertion: Assertion,
  publicKey: Uint8Array<ArrayBuffer>,
  { party, challenge }: { party: RelyingParty; challenge: VerifiedChallenge },
): Promise<bigint> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: forVerifying.assertion(assertion),
      expectedChallenge: challenge.text,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      // The count is compared below, in one step with storing it.
      credential: { id: assertion.id, publicKey, counter: 0 },
      requireUserVerification: true,
    });
    if (verified) return BigInt(authenticationInfo.newCounter);
  } catch {
    // Whatever a stranger's bytes do to the package that reads them.
  }
  throw passkeyRefused();
}

/** False if the count did not grow. */
function recordUse(
  { id, name, user, counter }: { id: string; name: string; user: { id: string }; counter: bigint },
  challenge: VerifiedChallenge,
  now: Date,
): Promise<boolean> {
  return transaction(async (tx) => {
    await consumeChallenge(tx, challenge);
    const { count } = await tx.passkey.updateMany({
      where: { id, counter: counter === 0n ? 0n : { lt: counter } },
      data: { counter, usedAt: now },
    });
    // It may also have been removed meanwhile.
    const isCopied = count === 0 && (await tx.passkey.count({ where: { id } })) > 0;
    if (isCopied)
      await audit({ at: now, action: "passkey.refuse", subjectId: user.id, actorId: null, detail: { name } }, tx);
    return count === 1;
  }, "even on a full disk");
}

import { generateRegistrationOptions, verifyRegistrationResponse } from "@simplewebauthn/server";
import { type AttestationFormat, decodeAttestationObject } from "@simplewebauthn/server/helpers";
import type { NewPasskey } from "./add";
import { forVerifying, type Registration, readRegistration } from "./answers";
import { authenticatorName } from "./authenticator-names";
import { type AnsweredChallenge, answeredChallenge, type Ceremony, CHALLENGE_SECONDS, newChallenge } from "./challenge";
import { passkeyRefused } from "./errors";
import { credentialsFor } from "./list";
import type { RelyingParty } from "./relying-party";

/** RSA with 4,096 bits takes 530. Larger keys would make each sign-in slow. */
const MOST_KEY_BYTES = 600;
/** EdDSA, ES256, RS256: the same for every process, whatever its version of Node.js knows besides. */
const ALGORITHMS = [-8, -7, -257];

/** Somebody who gets a passkey; also an account that is only about to be created. */
export interface PasskeyOwner {
  id: string;
  username: string;
  /** The new passkey takes the place of all others, also on the authenticator that holds one of them. */
  replacesAll?: boolean;
}

/**
 * What a browser needs to create a passkey: one that is found without a name, and asks for a finger, face or PIN. An
 * authenticator that holds one of the account's that stay does not create another.
 */
export async function creationOptions(party: RelyingParty, owner: PasskeyOwner, ceremony: Ceremony, now = new Date()) {
  return generateRegistrationOptions({
    rpName: "Latchkey",
    rpID: party.id,
    userID: new Uint8Array(Buffer.from(owner.id)),
    userName: owner.username,
    userDisplayName: owner.username,
    challenge: new Uint8Array(Buffer.from(newChallenge(ceremony, now), "base64url")),
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: owner.replacesAll ? [] : await credentialsFor(owner.id, party),
  });
}

/** Verifies what a browser created. Throws 401 `passkey_refused` or `passkey_expired`. */
export async function verifyRegistration(
  sent: unknown,
  party: RelyingParty,
  ceremony: Ceremony,
  now = new Date(),
): Promise<NewPasskey> {
  const answer = readRegistration(sent);
  const challenge = answeredChallenge(answer.response.clientDataJSON, ceremony, now);
  const { credential, aaguid } = await verified(answer, party, challenge);
  if (credential.id !== answer.id || credential.publicKey.length > MOST_KEY_BYTES) throw passkeyRefused();
  return {
    credentialId: credential.id,
    host: party.id,
    publicKey: credential.publicKey,
    counter: BigInt(credential.counter),
    transports: (answer.response.transports ?? []).join(","),
    name: authenticatorName(aaguid),
    challenge,
  };
}

async function verified(answer: Registration, party: RelyingParty, challenge: AnsweredChallenge) {
  try {
    if (!isWithoutCertificates(answer.response.attestationObject)) throw passkeyRefused();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: forVerifying.registration(answer),
      expectedChallenge: challenge.text,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo) return registrationInfo;
  } catch {
    // Whatever a stranger's bytes do to the package that reads them.
  }
  throw passkeyRefused();
}

/** We ask for no certificates, and read none: they are a stranger's, and prove nothing that we want to know. */
function isWithoutCertificates(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, "base64url")));
  const format: AttestationFormat = decoded.get("fmt");
  return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
}

import { generateRegistrationOptions, verifyRegistrationResponse } from "@simplewebauthn/server";
import { type AttestationFormat, decodeAttestationObject } from "@simplewebauthn/server/helpers";
import { audit } from "@/lib/platform/audit";
import { type Statements, transaction } from "@/lib/platform/db/client";
import { isUniqueViolation } from "@/lib/platform/db/errors";
import { lockSession, lockUser } from "@/lib/platform/db/lock";
import { ApiError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import type { NoticeContext } from "../../context";
import { passkeyRegistered, passkeyUnfit, signedOut } from "../../errors";
import { nameKey, nextFreeName } from "../../identity/names";
import type { RelyingParty } from "../../identity/relying-party";
import { notify } from "../mail/outbox";
import {
  type Ceremony,
  CHALLENGE_SECONDS,
  consumeChallenge,
  forVerifying,
  newChallenge,
  type Registration,
  readRegistration,
  type VerifiedChallenge,
  verifyChallenge,
} from "./challenge";
import { credentialsFor, MAX_PASSKEYS } from "./list";

/**
 * The best-known authenticators by AAGUID, as their vendors and the FIDO Alliance publish them. The number is what the
 * browser reports; nothing proves it, so it only names a passkey.
 */
const NAMES: Record<string, string> = {
  "fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "Apple Passwords",
  "dd4ec289-e01d-41c9-bb89-70fa845d4bf2": "iCloud Keychain",
  "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
  "adce0002-35bc-c60a-648b-0b25f1f05503": "Chrome on Mac",
  "b5397666-4885-aa6b-cebf-e52262a439a2": "Chromium",
  "771b48fd-d3d4-4f74-9232-fc157ab0507a": "Edge on Mac",
  "08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
  "9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
  "6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
  "53414d53-554e-4700-0000-000000000000": "Samsung Pass",
  "bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
  "d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
  "531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
  "fdb141b2-5d84-443e-8a35-4698c205a502": "KeePassXC",
  "0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6": "Keeper",
  "b84e4048-15dc-4dd0-8640-f4f60813c8af": "NordPass",
  "50726f74-6f6e-5061-7373-50726f746f6e": "Proton Pass",
  "f3809540-7f14-49c1-a8b3-8f813b225541": "Enpass",
  "2fc0579f-8113-47ea-b116-bb5a8db9202a": "YubiKey",
  "ee882879-721c-4913-9775-3dfcce97072a": "YubiKey",
  "cb69481e-8ff7-4039-93ec-0a2729a154a8": "YubiKey",
  "fa2b99dc-9e39-4257-8f92-4a30d23c4118": "YubiKey",
  "c5ef55ff-ad9a-4b9f-b580-adebafe026d0": "YubiKey",
};

/** A name for a passkey of the authenticator with this AAGUID. */
function authenticatorName(aaguid: string): string {
  return NAMES[aaguid] ?? "Passkey";
}

/** A passkey that its browser has just created, verified. */
export interface NewPasskey {
  credentialId: string;
  host: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: bigint;
  transports: string;
  /** Of the authenticator, where it is known. */
  name: string;
  challenge: VerifiedChallenge;
}

/** Stores a new passkey within a transaction, and records it. Returns its name. */
export async function storePasskey(
  tx: Statements,
  userId: string,
  { passkey, now }: { passkey: NewPasskey; now: Date },
): Promise<string> {
  const { challenge, ...columns } = passkey;
  await consumeChallenge(tx, challenge);
  const others = await tx.passkey.findMany({ where: { userId }, select: { name: true }, take: MAX_PASSKEYS });
  const name = nextFreeName(passkey.name, new Set(others.map((other) => nameKey(other.name))));
  await tx.passkey.create({ data: { ...columns, id: newId(), userId, name, createdAt: now } });
  await audit({ at: now, action: "passkey.add", subjectId: userId, actorId: userId, detail: { name } }, tx);
  return name;
}

/** The same, if the account may have one more. Lock the user first. Also throws 403 `passkey_limit`. */
export async function storeAnotherPasskey(
  tx: Statements,
  userId: string,
  added: { passkey: NewPasskey; now: Date },
): Promise<string> {
  if ((await tx.passkey.count({ where: { userId } })) >= MAX_PASSKEYS)
    throw new ApiError(
      403,
      "passkey_limit",
      `An account can have ${MAX_PASSKEYS} passkeys at most. Remove one that you no longer use.`,
    );
  return storePasskey(tx, userId, added);
}

/**
 * Adds a passkey to an account. Returns its name. A session that is named must still be open: 401 `signed_out`. Also
 * throws 403 `passkey_limit`, 409 `passkey_known`, and 401 `passkey_expired` if it was added already.
 */
export async function addPasskey(
  userId: string,
  passkey: NewPasskey,
  { network, sessionId, now = new Date() }: NoticeContext = {},
): Promise<string> {
  try {
    return await transaction(async (tx) => {
      if (sessionId === undefined) await lockUser(tx, userId);
      else if (!(await lockSession(tx, { id: userId, sessionId }, now))) throw signedOut();
      await notify(tx, userId, { kind: "passkey added", network, sessionId, now });
      return storeAnotherPasskey(tx, userId, { passkey, now });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw passkeyRegistered();
    throw error;
  }
}

/** RSA with 4,096 bits takes 530. Larger keys would make each sign-in slow. */
const MAX_KEY_BYTES = 600;
/** EdDSA, ES256, RS256: the same for every process, whatever its version of Node.js knows besides. */
const ALGORITHMS = [-8, -7, -257];

/** Somebody who gets a passkey; also an account that is only about to be created. */
interface PasskeyOwner {
  id: string;
  username: string;
  /** The new passkey replaces all others, also on the authenticator that holds one of them. */
  replacesAll?: boolean;
}

/**
 * What a browser needs to create a passkey: one that is found without a name, and asks for a finger, face or PIN. An
 * authenticator that holds one of the account's that stay does not create another.
 */
export async function creationOptions(owner: PasskeyOwner, ceremony: Ceremony, now = new Date()) {
  const { party } = ceremony;
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

/** Verifies what a browser created. Throws 401 `passkey_refused`, `passkey_expired` or `passkey_unfit`. */
export async function verifyRegistration(input: unknown, ceremony: Ceremony, now = new Date()): Promise<NewPasskey> {
  const registration = readRegistration(input);
  const challenge = verifyChallenge(registration.response.clientDataJSON, ceremony, now);
  const { credential, aaguid } = await verified(registration, ceremony.party, challenge);
  if (credential.id !== registration.id || credential.publicKey.length > MAX_KEY_BYTES) throw passkeyUnfit();
  return {
    credentialId: credential.id,
    host: ceremony.party.id,
    publicKey: credential.publicKey,
    counter: BigInt(credential.counter),
    transports: (registration.response.transports ?? []).join(","),
    name: authenticatorName(aaguid),
    challenge,
  };
}

async function verified(registration: Registration, party: RelyingParty, challenge: VerifiedChallenge) {
  try {
    if (!isWithoutCertificates(registration.response.attestationObject)) throw passkeyUnfit();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: forVerifying.registration(registration),
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
  throw passkeyUnfit();
}

/** We ask for no certificates, and read none: they are a stranger's, and prove nothing that we want to know. */
function isWithoutCertificates(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, "base64url")));
  const format: AttestationFormat = decoded.get("fmt");
  return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
}

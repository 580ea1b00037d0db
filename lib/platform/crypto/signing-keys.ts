import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { auditEvents, SERVICE } from "../audit";
import { sql } from "../db/client";
import { KeyMemory } from "./data-keys";
import { addSigningKey, removeSigningKey, resealSigningKey, signingKeys } from "./queries";
import { derivedKeys, openWithAny, sealBytes } from "./secrets";

/** Another process may have added or retired a signing key: this one learns it by then. */
const READ_AGAIN_AFTER_MS = 60_000;

/** A key pair that signs what the service says, and its public part as others read it (RFC 8037). */
export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  jwk: JWK;
}

interface StoredKey {
  number: number;
  sealed: Uint8Array;
}

interface CachedKeys {
  /** The newest first, without those that no secret opens. */
  keys: SigningKey[];
  /** Whether a secret opens the newest one. */
  canSign: boolean;
  /** What was derived from the rows, by what they hold: it takes half a millisecond each. */
  derived: Map<string, Promise<SigningKey | undefined>>;
  /** By `performance.now()`. */
  readAt: number;
}

const memory = new KeyMemory<CachedKeys>("signing keys", () => ({
  keys: [],
  canSign: false,
  derived: new Map(),
  readAt: 0,
}));

/** Call it after a change of the signing keys. */
export const forgetSigningKeys = () => memory.forget();

const contextOf = (number: number) => `signing key ${number}`;

function sealKey(number: number, bytes: Uint8Array): Buffer<ArrayBuffer> {
  return sealBytes(derivedKeys("signing keys")[0], bytes, contextOf(number));
}

/** The bytes of a stored key. Undefined if it was changed, or no secret opens it. */
function opened({ number, sealed }: StoredKey): Buffer | undefined {
  try {
    return openWithAny("signing keys", sealed, contextOf(number));
  } catch {
    return undefined;
  }
}

function newKey(number: number): Buffer<ArrayBuffer> {
  const { privateKey } = generateKeyPairSync("ed25519");
  return sealKey(number, privateKey.export({ type: "pkcs8", format: "der" }));
}

/** What a signed text is: one is never taken for the other. */
export type SignedType = "validator+jwt" | "proof+jwt";

/** Signs these claims with the newest key, which verifiers fetch (JWT, RFC 7519; EdDSA, RFC 8037). */
export async function sign(typ: SignedType, claims: JWTPayload): Promise<string> {
  const [newest] = await keysThatSign();
  return signWith(newest, typ, claims);
}

/**
 * Signs these claims with the oldest key, for programs that were shipped with it and fetch none. The claim `keys` has
 * the public parts of those that follow it, so that a program learns them before the oldest is retired.
 */
export async function signForShipped(typ: SignedType, claims: JWTPayload): Promise<string> {
  const keys = await keysThatSign();
  const next = keys.slice(0, -1).map(({ jwk }) => jwk);
  return signWith(keys.at(-1) ?? keys[0], typ, next.length > 0 ? { ...claims, keys: next } : claims);
}

function signWith({ kid, privateKey }: SigningKey, typ: SignedType, claims: JWTPayload): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: "EdDSA", typ, kid }).sign(privateKey);
}

/** The keys, the newest first. Creates the first one. Throws if no secret opens the newest. */
async function keysThatSign(): Promise<[SigningKey, ...SigningKey[]]> {
  let { keys, canSign, readAt } = memory.contents();
  if (readAt === 0 || performance.now() - readAt >= READ_AGAIN_AFTER_MS)
    ({ keys, canSign } = await read("and create the first"));
  const [newest, ...former] = keys;
  if (!newest || !canSign) throw new Error("None of the secrets opens the signing key that is in use.");
  return [newest, ...former];
}

/** Every key that was not retired, the newest first. */
export async function publishedSigningKeys(): Promise<SigningKey[]> {
  return (await read("and create the first")).keys;
}

/** The published key with this id. */
export async function signingKeyById(kid: string): Promise<SigningKey | undefined> {
  const find = (keys: readonly SigningKey[]) => keys.find((key) => key.kid === kid);
  const { keys, readAt } = memory.contents();
  const isFresh = readAt > 0 && performance.now() - readAt < READ_AGAIN_AFTER_MS;
  return (isFresh ? find(keys) : undefined) ?? find((await read()).keys);
}

/** Several processes may need the first key at the same time: the first row stays. */
async function read(first?: "and create the first"): Promise<CachedKeys> {
  const cached = memory.contents();
  let rows = await sql.readQuickly(signingKeys());
  if (rows.length === 0 && first) {
    await sql.batch([addSigningKey(1, newKey(1), new Date())]);
    rows = await sql.readQuickly(signingKeys());
  }
  const named = rows.map((row) => [`${row.number} ${Buffer.from(row.sealed).toString("base64")}`, row] as const);
  const derived = new Map(named.map(([name, row]) => [name, cached.derived.get(name) ?? keyOf(row)]));
  const keys = await Promise.all(derived.values());
  const canSign = keys[0] !== undefined;
  const readAt = performance.now();
  return Object.assign(cached, { keys: keys.filter((key) => key !== undefined), canSign, derived, readAt });
}

/** Derived from the private part, so nobody who can only write to the database can have another one published. */
async function keyOf(row: StoredKey): Promise<SigningKey | undefined> {
  const bytes = opened(row);
  if (!bytes) return undefined;
  const privateKey = createPrivateKey({ key: bytes, format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(privateKey);
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, privateKey, publicKey, jwk: { ...jwk, kid, alg: "EdDSA", use: "sig" } };
}

/**
 * Creates the signing key that follows the newest one, unless another process just has. The former keys remain, until
 * they are retired. Returns the key's number.
 */
export async function rotateSigningKeys(actorId: string, now = new Date()): Promise<number> {
  const number = await sql.write(async (tx) => {
    const next = ((await tx.read(signingKeys()))[0]?.number ?? 0) + 1;
    const added = await tx.write(addSigningKey(next, newKey(next), now));
    const event = { at: now, action: "signing.rotate", subjectId: SERVICE, actorId } as const;
    if (added > 0) await tx.write(auditEvents({ ...event, detail: { which: String(next) } }));
    return next;
  });
  forgetSigningKeys();
  return number;
}

/**
 * Seals the signing keys under the first secret; the keys stay the same. Those that no secret opens stay as they are;
 * if the newest is one of them, it is an Error, or with `acceptLoss` a new one is created. Returns how many were
 * sealed.
 */
export async function resealSigningKeys(acceptLoss: boolean, actorId: string, now: Date): Promise<number> {
  const rows = await sql.read(signingKeys());
  const [newest] = rows;
  const isLost = newest !== undefined && opened(newest) === undefined;
  if (isLost && !acceptLoss) throw new Error(`None of the secrets opens the signing key ${newest.number}.`);
  let resealed = 0;
  for (const row of rows) {
    const bytes = opened(row);
    if (!bytes) continue;
    await sql.batch([resealSigningKey(row.number, sealKey(row.number, bytes))]);
    resealed++;
  }
  if (isLost) await rotateSigningKeys(actorId, now);
  forgetSigningKeys();
  return resealed;
}

/** The numbers of signing keys that no secret opens, and whether the newest is one of them. */
export async function lostSigningKeys(): Promise<{ lost: number[]; isNewest: boolean }> {
  const rows = await sql.read(signingKeys());
  const lost = rows.filter((row) => opened(row) === undefined).map(({ number }) => number);
  return { lost, isNewest: rows[0] !== undefined && lost.includes(rows[0].number) };
}

/** The numbers of the signing keys, the newest first, and when each was created. */
export const listSigningKeys = async () =>
  (await sql.read(signingKeys())).map(({ number, createdAt }) => ({ number, createdAt }));

/** Ends a former signing key: whatever it signed is invalid. Returns false for the newest one, and if it is gone. */
export async function retireSigningKey(number: number, actorId: string, now = new Date()): Promise<boolean> {
  const removed = await sql.write(async (tx) => {
    const removed = await tx.write(removeSigningKey(number));
    const event = { at: now, action: "signing.retire", subjectId: SERVICE, actorId } as const;
    if (removed > 0) await tx.write(auditEvents({ ...event, detail: { which: String(number) } }));
    return removed;
  });
  forgetSigningKeys();
  return removed > 0;
}

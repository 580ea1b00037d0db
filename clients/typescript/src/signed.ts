import type { KeysCheckUsername, WellKnownJwksJson } from "./api";
import { LatchkeyError } from "./errors";
import { type Connection, requestJson, requestJsonOnce } from "./request";

/** The service's public keys, as /.well-known/jwks.json has them. */
export interface PublicKeys {
  keys: readonly { kid: string; kty: string; crv: string; x: string }[];
}

/** What proofs are stored in: localStorage, or anything with its two methods, which may be asynchronous. */
export interface ProofStorage {
  getItem(name: string): string | null | Promise<string | null>;
  setItem(name: string, value: string): void | Promise<void>;
}

/** What a check needs that also works offline. `jwks`: shipped with the program, never fetched. */
export interface Offline {
  jwks: PublicKeys;
  storage: ProofStorage;
}

/** Whether a user holds a key. `until`: how long that can be verified offline. */
export interface OfflineCheck {
  owned: boolean;
  until: Date;
  /** The service could not be reached: its last response counts. */
  isOffline: boolean;
}

type Claims = Record<string, unknown>;

interface Expected {
  typ: "proof+jwt" | "validator+jwt";
  claims: Claims;
  keysFor: (kid: unknown) => PublicKeys | Promise<PublicKeys>;
  /** By how many seconds it may be from the future. */
  slack: number;
}

/** Clocks of servers differ by so much, in seconds. */
const SLACK = 60;
/** An unknown key may have been created since: the keys are fetched again, but not for each forged validator. */
const REFRESH_MS = 60_000;
/** Seconds less than usual that a service may take if there is a proof without it. */
const HURRY = -20;

const refused = (what: string, cause?: unknown) => new LatchkeyError("bad_proof", `${what}.`, { cause });

/** What a JWT says. Throws `bad_proof` unless such a key signed it, it says what is expected, and is valid now. */
async function claimsOf(
  jwt: unknown,
  { typ, claims: expected, keysFor, slack }: Expected,
  now: number,
): Promise<Claims> {
  const [head = "", body = "", signature = "", ...more] = String(jwt).split(".");
  const header = jsonIn(head);
  // Other texts decode to the same signature: with blanks, padding, or other bits at the end.
  const isCanonical = /^[\w-]{85}[AQgw]$/.test(signature);
  const isOurs = header.alg === "EdDSA" && header.typ === typ && !more.length && isCanonical;
  const key = isOurs && (await keysFor(header.kid)).keys.find(({ kid }) => kid === header.kid);
  if (!key || !(await isSigned(key, bytesIn(signature), `${head}.${body}`)))
    throw refused("The service has not signed this");
  const claims = jsonIn(body);
  for (const name in expected)
    if (claims[name] !== expected[name]) throw refused(`What was signed has another ${name}`);
  const { iat = Number.NaN, nbf = iat, exp = 0 } = claims as Record<string, number>;
  const seconds = now / 1000;
  if (!(exp > seconds)) throw refused("What was signed has expired");
  if (!(Math.max(iat, nbf) <= seconds + slack)) throw refused("The clock is slow");
  return claims;
}

async function isSigned({ kty, crv, x }: PublicKeys["keys"][number], signature: BufferSource, text: string) {
  try {
    const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, signature, new TextEncoder().encode(text));
  } catch (error) {
    throw refused("Signatures cannot be verified here", error);
  }
}

/** Of what is not base64, nothing: no signature is that short. */
function bytesIn(part: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function jsonIn(part: string): Claims {
  try {
    return Object(JSON.parse(new TextDecoder().decode(bytesIn(part))));
  } catch {
    return {};
  }
}

const issuerOf = ({ address }: Connection) => new URL(address).origin;

/** Who a validator is from. `azp`: the program that made it, if it did so with a token of its own. */
export interface User {
  id: string;
  username: string;
  azp?: string;
}

/** Says who a validator is from. Throws `bad_proof`. */
export type WhoIs = (validator: string, aud: string, options: { signal?: AbortSignal; now?: number }) => Promise<User>;

/** Verifies validators with the public keys, which are fetched unless they are given. */
export function whoIsWith(connection: Connection, jwks?: PublicKeys): WhoIs {
  let fetchedAt = jwks ? Number.POSITIVE_INFINITY : 0;
  let maxAge = 0;
  return async (validator, aud, { signal, now = Date.now() }) => {
    const keysFor = async (id: unknown) => {
      const age = jwks?.keys.some(({ kid }) => kid === id) ? maxAge : REFRESH_MS;
      if (jwks && now < fetchedAt + age) return jwks;
      const { body, headers } = await requestJson<WellKnownJwksJson>(connection, "/.well-known/jwks.json", { signal });
      fetchedAt = now;
      maxAge = Number(/max-age=(\d+)/.exec(headers.get("Cache-Control") ?? "")?.[1] ?? 0) * 1000;
      jwks = body;
      return body;
    };
    const claims = { iss: issuerOf(connection), aud };
    const expected: Expected = { typ: "validator+jwt", claims, keysFor, slack: SLACK };
    const { sub, username, azp } = await claimsOf(validator, expected, now);
    return { id: String(sub), username: String(username), azp: azp as string | undefined };
  };
}

/** Asks whether a user holds a key; if the service cannot be reached, its last signed response is the result. */
export async function checkOffline(
  connection: Connection,
  question: { username: string; key: string; offline: Offline; signal?: AbortSignal },
  clock: () => number = Date.now,
): Promise<OfflineCheck> {
  const { username, key, offline, signal } = question;
  const iss = issuerOf(connection);
  const name = `latchkey:${iss}:${username}:${key}`;
  const read = async (proof: unknown, slack: number, more?: Claims) => {
    const claims = { iss, username, key, ...more };
    const expected: Expected = { typ: "proof+jwt", claims, keysFor: () => offline.jwks, slack };
    const { owned, exp } = await claimsOf(proof, expected, clock());
    return { owned: owned === true, until: new Date(Number(exp) * 1000), isOffline: !more };
  };

  let stored: OfflineCheck | undefined;
  try {
    stored = await read(await offline.storage.getItem(name), 0);
  } catch {
    // As if there were none.
  }
  try {
    const nonce = crypto.randomUUID();
    const call = { query: { key, sign: nonce }, signal, patience: stored && HURRY };
    const request = stored ? requestJsonOnce : requestJson;
    const path = `/keys/check/${encodeURIComponent(username)}`;
    const { body } = await request<KeysCheckUsername>(connection, path, call);
    // The nonce says that it is new, whatever the clock says.
    const current = await read(body.proof, Number.POSITIVE_INFINITY, { nonce });
    await offline.storage.setItem(name, String(body.proof));
    return current;
  } catch (error) {
    if (!(error instanceof LatchkeyError) || !stored) throw error;
    const { code, status = 0 } = error;
    // From 429 on, the service did not look at the question.
    if (code === "bad_proof" || (status >= 400 && status < 429)) throw error;
    return stored;
  }
}

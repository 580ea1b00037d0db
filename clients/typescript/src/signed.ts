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

/**
 * What a check needs that also works offline. `jwks`: shipped with the program, never fetched. Keys that follow are
 * learned from what one of those has signed, and stored beside the proofs.
 */
export interface Offline {
  jwks: PublicKeys;
  storage: ProofStorage;
}

/** Whether a user holds a key. `until`: how long that can be verified offline, by this machine's clock. */
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
}

/** Clocks of servers differ by so much, in seconds. */
const SLACK = 60;
/** An unknown key may have been created since: the keys are fetched again, but not for each forged validator. */
const REFRESH_MS = 60_000;
/** Seconds less than usual that a service may take if there is a proof without it. */
const HURRY = -20;

const refused = (what: string, cause?: unknown) => new LatchkeyError("bad_proof", `${what}.`, { cause });

/** What a JWT says. Throws `bad_proof` unless such a key signed it, and it says what is expected. */
async function claimsOf(jwt: unknown, { typ, claims: expected, keysFor }: Expected): Promise<Claims> {
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
  return claims;
}

/** From when until when it is valid, in seconds. */
function periodOf(claims: Claims): [from: number, to: number] {
  const { iat = Number.NaN, nbf = iat, exp = 0 } = claims as Record<string, number>;
  return [Math.max(iat, nbf), exp];
}

/** Why it is the time of none of these periods; "": it is. */
function whyNotNow(seconds: number, ...periods: [from: number, to: number][]): string {
  if (periods.some(([from, to]) => from <= seconds && seconds < to)) return "";
  return periods.some(([, to]) => seconds < to) ? "The clock is slow" : "What was signed has expired";
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

/** Verifies validators with the public keys, which are fetched unless they are given, or for one that is not. */
export function whoIsWith(connection: Connection, jwks?: PublicKeys): WhoIs {
  let [triedAt, fetchedAt] = [0, 0];
  let maxAge = jwks ? Number.POSITIVE_INFINITY : 0;
  return async (validator, aud, { signal, now = Date.now() }) => {
    const keysFor = async (id: unknown) => {
      const isThere = jwks?.keys.some(({ kid }) => kid === id);
      if (jwks && now < (isThere ? fetchedAt + maxAge : triedAt + REFRESH_MS)) return jwks;
      triedAt = now;
      const { body, headers } = await requestJson<WellKnownJwksJson>(connection, "/.well-known/jwks.json", { signal });
      fetchedAt = now;
      maxAge = Number(/max-age=(\d+)/.exec(headers.get("Cache-Control") ?? "")?.[1] ?? 0) * 1000;
      jwks = body;
      return body;
    };
    const claims = { iss: issuerOf(connection), aud };
    const said = await claimsOf(validator, { typ: "validator+jwt", claims, keysFor });
    const [from, to] = periodOf(said);
    const whyNot = whyNotNow(now / 1000, [from - SLACK, to]);
    if (whyNot) throw refused(whyNot);
    const { sub, username, azp } = said;
    return { id: String(sub), username: String(username), azp: azp as string | undefined };
  };
}

/**
 * When a proof counts offline, by this machine's clock: as the service says; and from when it was asked for, if that
 * clock was wrong and has gone on since. The nonce ends with that time, so it is signed, too.
 */
function periodsOf(proof: Claims): [from: number, to: number][] {
  const [from, to] = periodOf(proof);
  const requestedAt = /\.(\d{1,12})$/.exec(String(proof.nonce))?.[1];
  return requestedAt
    ? [
        [from, to],
        [Number(requestedAt), Number(requestedAt) + to - from],
      ]
    : [[from, to]];
}

/** Proofs of one service, and the keys with which it may have signed them. */
class Proofs {
  private readonly keys: PublicKeys["keys"][number][];
  /** Those that named keys which the program was not shipped with. */
  readonly teachers: string[] = [];

  constructor(
    private readonly iss: string,
    { keys }: PublicKeys,
  ) {
    this.keys = [...keys];
  }

  /** What a proof says, and learns the keys that it names. Throws `bad_proof`. */
  async read(proof: string, more: Claims = {}): Promise<Claims> {
    const claims = { iss: this.iss, ...more };
    const said = await claimsOf(proof, { typ: "proof+jwt", claims, keysFor: () => ({ keys: this.keys }) });
    const named = Array.isArray(said.keys) ? (said.keys as PublicKeys["keys"]) : [];
    const news = named.filter(({ kid }) => !this.keys.some((key) => key.kid === kid));
    if (news.length > 0) this.teachers.push(proof);
    this.keys.push(...news);
    return said;
  }

  /** The same of the last one in a stored text, behind `teachers`; null if it does not count, or cannot be read. */
  async readStored(storage: ProofStorage, name: string, more?: Claims): Promise<Claims | null> {
    try {
      const texts = String(await storage.getItem(name)).split(" ");
      const proof = texts.pop() ?? "";
      for (const teacher of texts) await this.read(teacher).catch(() => null);
      return await this.read(proof, more);
    } catch {
      return null;
    }
  }
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
  // What names a key counts for every question to this service.
  const nameOfTeachers = `latchkey:${iss}:keys`;
  const proofs = new Proofs(iss, offline.jwks);
  const seconds = () => Math.floor(clock() / 1000);
  const resultOf = (claims: Claims, isOffline: boolean): OfflineCheck => {
    const until = Math.max(...periodsOf(claims).map(([, to]) => to));
    return { owned: claims.owned === true, until: new Date(until * 1000), isOffline };
  };

  await proofs.readStored(offline.storage, nameOfTeachers);
  const last = await proofs.readStored(offline.storage, name, { username, key });
  const whyNot = last ? whyNotNow(seconds(), ...periodsOf(last)) : "";
  const stored = last && !whyNot ? resultOf(last, true) : undefined;
  try {
    // With the time by which `periodsOf` knows how wrong this clock is.
    const nonce = `${crypto.randomUUID()}.${seconds()}`;
    const call = { query: { key, sign: nonce }, signal, patience: stored && HURRY };
    const request = stored ? requestJsonOnce : requestJson;
    const path = `/keys/check/${encodeURIComponent(username)}`;
    const { body } = await request<KeysCheckUsername>(connection, path, call);
    // The nonce says that it is new, whatever the clock says.
    const claims = await proofs.read(String(body.proof), { username, key, nonce });
    const [from, to] = periodOf(claims);
    if (!(from < to)) throw refused("What was signed has expired");
    const teachers = [...new Set(proofs.teachers)];
    if (teachers.length > 0) await offline.storage.setItem(nameOfTeachers, teachers.join(" "));
    // With them, because a storage may have room for one only.
    await offline.storage.setItem(name, [...new Set([...teachers, String(body.proof)])].join(" "));
    return resultOf(claims, false);
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    const { code, status = 0 } = error;
    // From 429 on, the service did not look at the question.
    if (code === "bad_proof" || (status >= 400 && status < 429)) throw error;
    if (stored) return stored;
    if (!whyNot) throw error;
    throw new LatchkeyError(code, `${error.message} The stored response does not count: ${whyNot}.`, error);
  }
}

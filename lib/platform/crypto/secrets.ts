import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bringToDisk, makeDataFolder, SECRET_FILE } from "../data-folder";
import { env, SECRET_RULE, splitSecrets } from "../env";
import { openSecretMode, readSecrets, secretSource } from "./secret-source";

/** AES-256-GCM (NIST SP 800-38D) with a random nonce of 96 bits: one key seals 2^32 messages safely. */
const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What sealing adds to the length of a message: nonce, then tag, then the message. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES;

let nonces = Buffer.alloc(0);

/** Random bytes are drawn for many at a time: one by one, drawing them takes longer than encrypting a short message. */
function newNonce(): Buffer {
  if (nonces.length === 0) nonces = randomBytes(256 * NONCE_BYTES);
  const nonce = nonces.subarray(0, NONCE_BYTES);
  nonces = nonces.subarray(NONCE_BYTES);
  return nonce;
}

/** Encrypts and authenticates `message`. It opens only with the same key and the same `context`. */
export function sealBytes(key: KeyObject, message: Uint8Array, context: string): Buffer<ArrayBuffer> {
  const nonce = newNonce();
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const encrypted = cipher.update(message);
  cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

/** The message. Throws if it was changed, or sealed with another key or for another context. */
export function openBytes(key: KeyObject, sealed: Uint8Array, context: string): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, SEAL_BYTES));
  const message = decipher.update(sealed.subarray(SEAL_BYTES));
  decipher.final();
  return message;
}

const HOW = "Create one with: openssl rand -base64 32";

let secrets: string[] | undefined;

/**
 * The secrets that everything else is derived from: the first one signs, hashes and seals; the others are still
 * recognised. If there are none for the embedded database, one is created on first use and stored in the data folder,
 * readable by its owner only. If that would not be safe, throws an Error whose message says what to do. What is
 * configured and missing is an error, too: with another secret in its place, every token would fail unexplained.
 */
export function authSecrets(): [string, ...string[]] {
  secrets ??= splitSecrets(storedSecrets() ?? makeSecret());
  const [first, ...others] = secrets;
  if (first === undefined) throw new Error(`AUTH_SECRET ${SECRET_RULE}.`);
  return [first, ...others];
}

/** Whether a secret exists, or would have to be created. Throws as `authSecrets` does. */
export function hasSecret(): boolean {
  return storedSecrets() !== undefined;
}

/** From now on, this process recognises these secrets, too, after those in use here. */
export function alsoRecognise(more: readonly string[]): void {
  secrets = [...new Set([...authSecrets(), ...more])];
  keys.clear();
}

/** The file that the service itself creates. */
export function ownSecretFile(): string {
  return join(env.DATA_DIR, SECRET_FILE);
}

function storedSecrets(): string | undefined {
  const source = secretSource();
  if (env.VERCEL && source.from !== "AUTH_SECRET") throw new Error(`AUTH_SECRET must be set on Vercel. ${HOW}`);
  if (env.DATABASE_URL && source.from === "data folder")
    throw new Error(
      "AUTH_SECRET must be set when DATABASE_URL is, or AUTH_SECRET_FILE. If systemd or a container gives it to " +
        `the service, commands need it too (see docs/backups.md). ${HOW}`,
    );
  return readSecrets(source);
}

/** What follows from a secret that others can read and this process cannot close; another one is refused. */
export function explainOpenSecret(): string | undefined {
  const { file } = secretSource();
  return file && openSecretMode(file)
    ? `Others who use this machine can read the secret in ${file}: it is not this user's, or its file system keeps ` +
        "no modes. If there are others, set AUTH_SECRET instead."
    : undefined;
}

function makeSecret(): string {
  const file = ownSecretFile();
  makeDataFolder();
  // Written completely before it gets its name, and never over another's: two processes that start at the same time
  // share one secret. It is on the disk before anything is sealed under it.
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const [secret, how] = [`${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx", flush: true }];
  writeFileSync(draft, secret, how);
  try {
    linkSync(draft, file);
  } catch (error) {
    // Some file systems have no second name for a file, as exFAT.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" && !existsSync(file)) writeFileSync(file, secret, how);
  } finally {
    rmSync(draft);
  }
  bringToDisk(env.DATA_DIR);
  return readFileSync(file, "utf8");
}

export type Purpose =
  | "token look-up"
  | "token sealing"
  | "link codes"
  | "link masks"
  | "link secrets"
  | "mailed links"
  | "claim links"
  | "sessions"
  | "cookies"
  | "known browsers"
  | "passkeys"
  | "link tickets"
  | "page actions"
  | "requests"
  | "backups"
  | "backed-up rows"
  | "data keys"
  | "signing keys";

const keys = new Map<Purpose, [KeyObject, ...KeyObject[]]>();

/** 32 bytes for one purpose only (HKDF-SHA-256, RFC 5869), from each secret. */
export function derivedKeys(purpose: Purpose): [KeyObject, ...KeyObject[]] {
  const existing = keys.get(purpose);
  if (existing) return existing;
  const derive = (secret: string) => deriveKey(secret, purpose);
  const [first, ...others] = authSecrets();
  const derived: [KeyObject, ...KeyObject[]] = [derive(first), ...others.map(derive)];
  keys.set(purpose, derived);
  return derived;
}

/** The key of one purpose from one secret, whether it is in use here or not. */
export function deriveKey(secret: string, purpose: Purpose): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", secret, "latchkey", purpose, 32)));
}

/** Identifies a secret without revealing it: 64 hex digits. */
export function fingerprint(secret: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "latchkey", "fingerprint", 32)).toString("hex");
}

const hmac = (key: KeyObject, text: string) => createHmac("sha256", key).update(text).digest("hex");

/** HMAC-SHA-256 of `text` with the key of `purpose`, as 64 hex digits, for storing. */
export function keyedHash(purpose: Purpose, text: string): string {
  return hmac(derivedKeys(purpose)[0], text);
}

/** The same under each secret, the first one's first: the values that may have been stored. */
export function keyedHashes(purpose: Purpose, text: string): [string, ...string[]] {
  return [keyedHash(purpose, text), ...formerKeyedHashes(purpose, text)];
}

/** The same under each secret but the first: nearly always none. */
export function formerKeyedHashes(purpose: Purpose, text: string): string[] {
  return derivedKeys(purpose)
    .slice(1)
    .map((key) => hmac(key, text));
}

/** AES-256-GCM of `text` with the key of `purpose`, in base64. It opens only for the same `context`. */
export function seal(purpose: Purpose, text: string, context: string): string {
  return sealBytes(derivedKeys(purpose)[0], Buffer.from(text), context).toString("base64");
}

/** Opens a sealed text. Throws if it was changed, or sealed for another context or under an unknown secret. */
export function unseal(purpose: Purpose, sealed: string, context: string): string {
  return openWithAny(purpose, Buffer.from(sealed, "base64"), context).toString("utf8");
}

/** Opens what `sealBytes` sealed with a key of this purpose, from any of the secrets. Throws as `unseal` does. */
export function openWithAny(purpose: Purpose, sealed: Uint8Array, context: string): Buffer {
  let refused: unknown;
  for (const key of derivedKeys(purpose)) {
    try {
      return openBytes(key, sealed, context);
    } catch (error) {
      refused ??= error;
    }
  }
  throw refused;
}

/**
 * Refuses a configuration that is unsafe or cannot work. Throws an Error whose message is one sentence that says what
 * to set.
 */
export function checkConfiguration(): void {
  hasSecret();
  if (env.VERCEL && !env.DATABASE_URL)
    throw new Error("DATABASE_URL must be set on Vercel, which keeps no files: the address of a PostgreSQL database.");
  if (env.WEB_CONCURRENCY > 1 && !env.DATABASE_URL)
    throw new Error(
      "WEB_CONCURRENCY must be 1 with the embedded database, which belongs to one process: set " +
        "DATABASE_URL to a PostgreSQL database for more.",
    );
  if (env.NEXTAUTH_URL) return;
  const why = env.VERCEL
    ? "on Vercel"
    : (env.DATABASE_URL && "when DATABASE_URL is") || (env.SMTP_URL && "when SMTP_URL is");
  if (why)
    throw new Error(`NEXTAUTH_URL must be set ${why}: the address that people open, like https://keys.example.org.`);
}

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "./env";

const HOW = "Make one with: openssl rand -base64 32";

let secret: string | undefined;

/**
 * The secret that everything else is derived from. Unset on the embedded database, one is made at first use and kept in the
 * data folder, readable by its owner only. Throws an Error whose message says what to do where that would not be safe.
 */
export function authSecret(): string {
  secret ??= env.AUTH_SECRET ?? storedSecret();
  return secret;
}

function storedSecret(): string {
  if (env.VERCEL) throw new Error(`AUTH_SECRET must be set on Vercel. ${HOW}`);
  if (env.DATABASE_URL) throw new Error(`AUTH_SECRET must be set when DATABASE_URL is. ${HOW}`);
  const file = join(env.DATA_DIR, "secret");
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  mkdirSync(env.DATA_DIR, { recursive: true, mode: 0o700 });
  // Written whole before it gets its name, and never over another's: two processes that start at once share one secret.
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, "utf8").trim();
}

export type Purpose = "token look-up" | "token sealing" | "link codes" | "link masks" | "sessions" | "cookies" | "link tickets";

const keys = new Map<Purpose, Buffer>();

/** 32 bytes for one purpose only (HKDF-SHA-256, RFC 5869). */
export function derivedKey(purpose: Purpose): Buffer {
  let key = keys.get(purpose);
  if (!key) {
    key = Buffer.from(hkdfSync("sha256", authSecret(), "latchkey", purpose, 32));
    keys.set(purpose, key);
  }
  return key;
}

/** HMAC-SHA-256 of `text` under the key of `purpose`, as 64 hex digits. */
export function keyedHash(purpose: Purpose, text: string): string {
  return createHmac("sha256", derivedKey(purpose)).update(text).digest("hex");
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM of `text` under the key of `purpose`, in base64. It opens for the same `context` only. */
export function seal(purpose: Purpose, text: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", derivedKey(purpose), nonce);
  cipher.setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** What was sealed. Throws when it was changed, or sealed for another context or under another secret. */
export function unseal(purpose: Purpose, sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv("aes-256-gcm", derivedKey(purpose), bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
}

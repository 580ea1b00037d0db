import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";

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

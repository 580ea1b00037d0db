import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "@/lib/secrets";
import type { End } from "./header";

/**
 * HMAC-SHA-256, with a separate key, of what the last line of a backup says about everything before it: it cannot be
 * forged without the secret.
 */
export function signatureOf(lines: number, sha256: string, secret: string): string {
  return createHmac("sha256", deriveKey(secret, "backups")).update(`${lines} ${sha256}`).digest("hex");
}

/** The one of these secrets that signed it. */
export function signerOf(secrets: string[], { lines, sha256, signature = "" }: End): string | undefined {
  return secrets.find((secret) => {
    const right = Buffer.from(signatureOf(lines, sha256, secret));
    const sent = Buffer.from(signature);
    return sent.length === right.length && timingSafeEqual(sent, right);
  });
}

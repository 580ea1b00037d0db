/** A new id: 32 hex digits. Not `randomUUID`, which browsers offer on TLS only. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

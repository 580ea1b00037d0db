import { randomBytes } from "node:crypto";

/** A new id: 128 random bits as 32 lowercase hex digits. */
export function newId(): string {
  return randomBytes(16).toString("hex");
}

/**
 * A new id of the same form for a row created at this time: the milliseconds, and 80 random bits. Rows created together
 * are neighbours in every index of such ids, so a commit writes fewer pages.
 */
export function newOrderedId(at: Date): string {
  return at.getTime().toString(16).padStart(12, "0") + randomBytes(10).toString("hex");
}

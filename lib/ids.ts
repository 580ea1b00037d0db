import { randomBytes } from "node:crypto";

/** A new id: 128 random bits as 32 lowercase hex digits. */
export function newId(): string {
  return randomBytes(16).toString("hex");
}

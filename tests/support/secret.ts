import { randomBytes } from "node:crypto";

const made = randomBytes(32).toString("base64url");

/** The AUTH_SECRET of this run. */
export function testSecret(): string {
  return made;
}

import { createHash } from "node:crypto";

/** Names a session. */
export const SESSION_COOKIE = "session-token";

/**
 * The name and the attributes of a cookie of this service at the address that people open (contract, section 5:
 * cookies). Browsers send a cookie to every port of a host, so the name says whose it is: two services there would
 * otherwise sign each other's users out. An address outlasts its secrets, and all processes know it.
 */
export function cookieAt(origin: string, name: string, path = "/") {
  const secure = origin.startsWith("https:");
  const prefix = secure ? (path === "/" ? "__Host-" : "__Secure-") : "";
  const mark = createHash("sha256").update(origin).digest("hex").slice(0, 8);
  return {
    name: `${prefix}latchkey-${mark}.${name}`,
    options: { httpOnly: true, sameSite: "lax", secure, path } as const,
  };
}

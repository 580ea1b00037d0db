import { createHash } from "node:crypto";
import { cookies, headers } from "next/headers";
import { originOf } from "@/lib/origin";

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

/** A cookie of the browser whose request this is: what it sent, and how to set another value. */
export async function ownCookie(named: string, path?: string) {
  const [jar, sent] = await Promise.all([cookies(), headers()]);
  const { name, options } = cookieAt(originOf({ headers: sent }), named, path);
  return {
    value: jar.get(name)?.value,
    /** `maxAge` in seconds; without one, until the browser is closed. */
    set: (value: string, maxAge?: number) => void jar.set(name, value, { ...options, maxAge }),
    remove: () => void jar.set(name, "", { ...options, maxAge: 0 }),
  };
}

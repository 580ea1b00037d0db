import { cookies, headers } from "next/headers";
import { originOf } from "@/lib/origin";
import { cookieAt } from "./cookie-at";

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

import { newId } from "@/lib/ids";
import { ownCookie } from "./own-cookie";

const COOKIE = "passkey";
const SHAPE = /^[0-9a-f]{32}$/;

/** The name that this browser's challenges are bound to; empty if it has none, which no challenge is bound to. */
export async function passkeyBrowser(): Promise<string> {
  const sent = (await ownCookie(COOKIE)).value ?? "";
  return SHAPE.test(sent) ? sent : "";
}

/** The same, for a new challenge: a browser without a name gets one, until it is closed. */
export async function namedPasskeyBrowser(): Promise<string> {
  const known = await passkeyBrowser();
  if (known) return known;
  const name = newId();
  (await ownCookie(COOKIE)).set(name);
  return name;
}

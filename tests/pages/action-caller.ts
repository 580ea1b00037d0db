import { ask } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { hashed, openedSession } from "./visitor";

/** Somebody who is signed in, without a browser. */
export interface Session extends TestUser {
  cookie: string;
}

/** Signs a user in on this network, and returns the cookie. */
export async function cookieOf(user: { id: string }, network = ""): Promise<string> {
  const { name, value } = await openedSession(user, network);
  return `${name}=${value}`;
}

/** A new user with this role and a password, who has just signed in. */
export async function signedInAs(role: "admin" | "user"): Promise<Session> {
  const user = await makeUser({ role, passwordHash: await hashed });
  return { ...user, cookie: await cookieOf(user) };
}

/** What a page says to whoever has this cookie, before any script of it runs. */
export async function wordsOf(path: string, cookie: string): Promise<string> {
  const { text } = await ask(path, { headers: { Accept: "text/html", Cookie: cookie } });
  return text
    .replace(/<div hidden(?:="")? id="S:.*|<(script|style)\b.*?<\/\1>|<!--.*?-->/gs, "")
    .replace(/<\/?(?:a|bdi|code|span|strong|time)\b[^>]*>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
}

/** How an action's answer begins if it did what it was asked to. */
export const DONE = /^1:\{("ok":.*)?\}$/m;

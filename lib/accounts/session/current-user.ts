import { headers } from "next/headers";
import { unavailable } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { originOf } from "@/lib/platform/network/host";
import { noteUnavailable, noteUser } from "@/lib/platform/request";
import { recordSeen } from "../identity/seen";
import type { Caller } from "../identity/user";
import { readSessionCookie } from "./session-cookie";
import { sessionUser } from "./sessions";

export type SignedIn = Caller & { sessionId: string };

/** The user signed in in this browser, from the cookie and its row, or null. For pages and their actions. */
export async function currentUser(): Promise<SignedIn | null> {
  const sessionId = (await sessionHere())?.sessionId;
  if (!sessionId) return null;
  const user = await sessionUser(sessionId).catch((error) => {
    log.error({ err: error }, "a session could not be looked up");
    noteUnavailable();
    // The digest is all that Next passes to a page about an error.
    throw Object.assign(unavailable(), { digest: "unavailable" });
  });
  if (!user) return null;
  noteUser(user.id);
  recordSeen(user.id);
  return { ...user, sessionId };
}

/** What the session cookie of the request says; null if there is none. For pages and their actions. */
export async function sessionHere() {
  const requested = await headers();
  return readSessionCookie(requested.get("cookie"), originOf({ headers: requested }));
}

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { signedOut } from "@/lib/accounts/errors";
import { currentUser, type SignedIn } from "@/lib/accounts/session/current-user";
import { requireRecentProof } from "@/lib/accounts/session/proof";
import { isOpenedElsewhere } from "@/lib/accounts/session/sessions";
import type { OnExisting } from "@/lib/files/schema";
import { ApiError } from "@/lib/platform/errors";
import { clientNetwork } from "@/lib/platform/network/client";
import { originOf, originRefused } from "@/lib/platform/network/host";
import { type PageQuery, withNext } from "./next-path";
import { PAGE_USER } from "./page-user";

/** The address under which this page was opened, for commands to paste. */
export async function pageOrigin(): Promise<string> {
  return originOf({ headers: await headers() });
}

/**
 * Refuses requests from scripts of another origin (CSRF): browsers send the origin of every request that changes
 * something, and no script elsewhere can fake ours. Scheme, host and port must all match; Next compares only the host.
 * Every form is sent by script for this: with the policy `no-referrer`, a browser posts forms with `Origin: null`,
 * which proves nothing. Throws 403 `foreign_origin`.
 */
export function requireOurOrigin(headers: Headers): void {
  const origin = headers.get("origin");
  const address = originOf({ headers });
  const [site, action] = [headers.get("sec-fetch-site"), headers.get("next-action")];
  if (isFromElsewhere(headers) || origin !== address) throw originRefused({ origin, site, action, address });
}

/** Whether the browser says that the request comes from a page of another site, or of another origin on our site. */
export function isFromElsewhere(headers: Headers): boolean {
  return ["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "");
}

/** Sends somebody who is signed out to sign in, and then back to this page with its query. */
export function signInFirst(page: string, query: PageQuery = {}): never {
  redirect(withNext("/signin", addressOf(page, query)));
}

/** The address of a page. Of its query only what HTML can hold: a browser would read other text than a page wrote. */
function addressOf(page: string, query: PageQuery): string {
  const parameters = new URLSearchParams(textsIn(query));
  return parameters.size > 0 ? `${page}?${parameters}` : page;
}

/** The parameters of an address that HTML can hold, each sent once: repeated ones are left out. */
export const textsIn = (query: PageQuery): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value.replace(/[\0\r]/g, "").toWellFormed()]] : [],
    ),
  );

/** Whether the page that asks was made for another user: this browser has signed in again, in another tab. */
export async function isPageOfAnother(user: SignedIn): Promise<boolean> {
  const pageUser = (await headers()).get(PAGE_USER);
  return pageUser !== null && pageUser !== user.id;
}

/** The signed-in user, or null. Throws 403 `another_user` if the page was made for somebody else. */
export async function visitor(): Promise<SignedIn | null> {
  const user = await currentUser();
  if (user && (await isPageOfAnother(user)))
    throw new ApiError(
      403,
      "another_user",
      `You are now signed in as ${user.username}. This page is another user's, so nothing was done. Reload it.`,
    );
  return user;
}

/** The signed-in user. Throws 401 `signed_out`, and as `visitor` does. */
export async function actor(): Promise<SignedIn> {
  const user = await visitor();
  if (!user) throw signedOut();
  return user;
}

/** Whether this session was opened on another network than that of this request; false where networks are unknown. */
export async function isElsewhere({ sessionId }: SignedIn): Promise<boolean> {
  return isOpenedElsewhere(sessionId, clientNetwork(await headers()));
}

/** Throws 403 `proof_needed` if the session `isElsewhere`, without a recent proof: its cookie may be a stolen one. */
export async function requireProofIfElsewhere(user: SignedIn): Promise<void> {
  if (await isElsewhere(user)) await requireRecentProof(user);
}

/** Throws as `requireProofIfElsewhere` does if a file of the same name would be replaced. */
export async function requireProofToReplace(user: SignedIn, onExisting: OnExisting): Promise<void> {
  if (onExisting === "replace") await requireProofIfElsewhere(user);
}

/** The result of `work`; null if the link cannot be used. */
export async function unlessBad<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error) => {
    if (error instanceof ApiError && error.code === "bad_link") return null;
    throw error;
  });
}

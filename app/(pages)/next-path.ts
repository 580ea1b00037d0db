import { PAGES } from "@/lib/platform/http/pages";

/** The query of a page, as Next passes it. */
export type PageQuery = Record<string, string | string[] | undefined>;
export type SearchParams = Promise<PageQuery>;

const MAX = 500;
/** Nobody wants to arrive there from signing in. */
const SIGN_IN_PAGES = ["/signin", "/signup"];

/**
 * The page that a person wanted before signing in, with its query: one of our own, never an address written by somebody
 * else. A fragment is left behind, because it may be a secret, and so is a query that is too long.
 */
export function nextPath(requested: string | string[] | undefined, otherwise: string): string {
  if (typeof requested !== "string" || !/^\/[!-~]*$/.test(requested)) return otherwise;
  const [address = ""] = requested.split("#");
  const [page = ""] = address.split("?");
  if (!PAGES.has(page) || SIGN_IN_PAGES.includes(page)) return otherwise;
  return address.length <= MAX ? address : page;
}

/**
 * The address of the page to sign in or up, which continues to `target`; home, unless it names another page. `failed`:
 * the code of why somebody was not signed in.
 */
export function withNext(page: "/signin" | "/signup", target: string, failed = ""): string {
  const query = [
    target === "/" ? "" : `next=${encodeURIComponent(target).replaceAll("%2F", "/")}`,
    failed === "" ? "" : `error=${encodeURIComponent(failed)}`,
  ].filter(Boolean);
  return query.length > 0 ? `${page}?${query.join("&")}` : page;
}

/**
 * Where a sign-in leads, by the address that NextAuth keeps for it: that of the page to sign in or up, or another one
 * of ours.
 */
export function destinationIn(stored: string | undefined): string {
  if (!stored || !URL.canParse(stored)) return "/";
  const { pathname, search, searchParams } = new URL(stored);
  return nextPath(SIGN_IN_PAGES.includes(pathname) ? (searchParams.get("next") ?? undefined) : pathname + search, "/");
}

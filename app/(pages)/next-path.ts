const PAGES = ["/link", "/account", "/keys", "/files", "/claim"];

/** The page that a person wanted before signing in: one of our own, never an address written by somebody else. */
export function nextPath(asked: string | string[] | undefined, otherwise: string): string {
  if (typeof asked !== "string" || !/^\/[!-~]*$/.test(asked)) return otherwise;
  const [page = ""] = asked.split("?");
  if (!PAGES.includes(page)) return otherwise;
  return asked.length <= 500 ? asked : page;
}

/** The address of the page to sign in or up, which continues to `target`. */
export function withNext(page: "/signin" | "/signup", target: string): string {
  return `${page}?next=${encodeURIComponent(target).replaceAll("%2F", "/")}`;
}

/** The query of a page, as Next passes it. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

const PAGES = ["/link", "/account", "/keys", "/files"];

/** Where a person wanted to go before signing in: one of our own pages, never an address that somebody else wrote. */
export function nextPath(asked: string | string[] | undefined, otherwise: string): string {
  if (typeof asked !== "string" || !/^\/[!-~]*$/.test(asked)) return otherwise;
  const [page = ""] = asked.split("?");
  if (!PAGES.includes(page)) return otherwise;
  return asked.length <= 500 ? asked : page;
}

/** The address of the page to sign in or up on, which leads on to `target`. */
export function withNext(page: "/signin" | "/signup", target: string): string {
  return `${page}?next=${encodeURIComponent(target).replaceAll("%2F", "/")}`;
}

/** The query of a page, as Next hands it over. */
export type Query = Promise<Record<string, string | string[] | undefined>>;

const PATHS = ["/link", "/account", "/keys", "/files"];
const KEY = /^\/keys\?key=[0-9a-f]{32}$/;

/** Where a person wanted to go before signing in: one of our own pages, never an address that somebody else wrote. */
export function nextPath(asked: string | string[] | undefined, otherwise: string): string {
  return typeof asked === "string" && (PATHS.includes(asked) || KEY.test(asked)) ? asked : otherwise;
}

/** The query of a page, as Next hands it over. */
export type Query = Promise<Record<string, string | string[] | undefined>>;

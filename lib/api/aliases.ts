/** Addresses that other services with this interface have for routes of ours. */
export const ALIASES: Readonly<Record<string, string>> = {
  "/get_user": "/me",
  "/files/entries": "/read-files",
};

/** Every route is also there under this prefix. */
export const VERSION_PREFIX = "/v2";

/** The path of the route that a program means by this path (contract, section 1: other addresses). */
export function withoutAlias(path: string): string {
  const plain = path.startsWith(`${VERSION_PREFIX}/`) ? path.slice(VERSION_PREFIX.length) : path;
  return ALIASES[plain] ?? plain;
}

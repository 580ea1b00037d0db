/** Every page. proxy.ts is not told by Next which address is one; a test holds the list and the files together. */
const PAGES = new Set([
  "/",
  "/account",
  "/docs",
  "/docs/clients",
  "/docs/files",
  "/docs/keys",
  "/docs/link",
  "/docs/try",
  "/files",
  "/keys",
  "/link",
  "/signin",
  "/signup",
]);

/** Whether a page of ours is at this path, with or without a slash at its end. */
export function isPage(path: string): boolean {
  return PAGES.has(path === "/" ? path : path.replace(/\/$/, ""));
}

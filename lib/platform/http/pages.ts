/** Every page. Next does not tell proxy.ts which addresses are pages; a test compares this list with the files. */
export const PAGES: ReadonlySet<string> = new Set([
  "/",
  "/account",
  "/account/activity",
  "/admin",
  "/admin/audit",
  "/admin/keys",
  "/admin/links",
  "/admin/settings",
  "/admin/users",
  "/claim",
  "/docs",
  "/docs/guides/backup",
  "/docs/guides/browser",
  "/docs/guides/command-line",
  "/docs/guides/desktop",
  "/docs/guides/existing-clients",
  "/docs/guides/keys",
  "/docs/guides/offline-licence",
  "/docs/guides/production",
  "/docs/guides/who-is-playing",
  "/email",
  "/files",
  "/invite",
  "/keys",
  "/link",
  "/recover",
  "/recover/link",
  "/signin",
  "/signup",
]);

/** Whether one of our pages has this path, with or without a trailing slash. */
export function isPage(path: string): boolean {
  return PAGES.has(path === "/" ? path : path.replace(/\/$/, ""));
}

/** The pages that read parameters of their address. A test compares this with the files. */
const WITH_PARAMETERS = /^\/(?:account(?:\/activity)?|admin(?:\/\w+)?|files|keys|link|signin|signup)?\/?$/;

/** Whether a page at this path reads no parameters: with some, it would only be made anew for each. */
export const ignoresQuery = (path: string) => isPage(path) && !WITH_PARAMETERS.test(path);

/** The pages whose links have a secret after `#`. */
const WITH_SECRET = ["/claim", "/email", "/invite", "/recover/link"];

/**
 * The address of the page that a link in another spelling means: some programs encode its `#`, or change capitals. Its
 * secret goes back behind a `#`, where no log and no Referer gets it (contract, section 5: links that work once).
 * Undefined for any other path.
 */
export function meantLink(path: string): string | undefined {
  const [before = "", ...secret] = path.split(/%23/i);
  const page = decodeURIComponent(before).toLowerCase().replace(/\/$/, "");
  if (!WITH_SECRET.includes(page)) return undefined;
  if (secret.length > 0) return `${page}#${secret.join("%23")}`;
  return before.replace(/\/$/, "") === page ? undefined : page;
}

/** The header in which proxy.ts tells the page for unknown addresses that the console was asked for. */
export const HIDDEN_CONSOLE = "x-hidden-console";

/** Whether this is the path of a page of the console. What its pages download is no page. */
export const isConsole = (path: string) => /^\/admin(?:\/|$)/.test(path) && isPage(path);

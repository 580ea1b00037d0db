const PAGES = ["/claim", "/email", "/invite", "/recover/link"];

/**
 * The address of the page that a link in another spelling means: some programs encode its `#`, or change capitals. Its
 * secret goes back behind a `#`, where no log and no Referer gets it (contract, section 5: links that work once).
 * Undefined for any other path.
 */
export function meantLink(path: string): string | undefined {
  const [before = "", ...secret] = path.split(/%23/i);
  const page = decodeURIComponent(before).toLowerCase().replace(/\/$/, "");
  if (!PAGES.includes(page)) return undefined;
  if (secret.length > 0) return `${page}#${secret.join("%23")}`;
  return before.replace(/\/$/, "") === page ? undefined : page;
}

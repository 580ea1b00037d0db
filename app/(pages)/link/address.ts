/** Where a page about one request is: it names the ticket that the browser stores, never the code. */
export const addressOf = (ticketId: string) => `/link?request=${ticketId}`;

/** Longer texts are not searched. An address of the link page with its code has about a hundred characters. */
const MAX = 2_000;

/**
 * The code in an address of the link page, which people paste with what stands around it; undefined if `text`
 * contains no such address.
 */
export function codeInAddress(text: string): string | undefined {
  if (text.length > MAX) return undefined;
  const query = /(?:^|[/\s("'<])link\/?\?([^\s#]*)/i.exec(text)?.[1];
  if (query === undefined) return undefined;
  const code = [...new URLSearchParams(query)].find(([name]) => name.toLowerCase() === "code")?.[1];
  // The address may have stood in brackets, in quotes, or at the end of a sentence.
  return code?.replace(/[\])}>"'.,;:!?]{1,10}$/, "");
}

/** Where a page about one request is: it names the ticket that the browser stores, never the code. */
export const addressOf = (ticketId: string) => `/link?request=${ticketId}`;

/** Where this tab stores a code that was entered, but not submitted, while its user signs in. */
const STORAGE_KEY = "latchkey-code";

/** Stores what is in the field of the page, for when its user comes back from signing in. */
export function storeCodeInput(): void {
  const input = document.querySelector<HTMLInputElement>("input[name=code]")?.value;
  if (input) window.sessionStorage.setItem(STORAGE_KEY, input);
}

/** What was stored, once. */
export function consumeCodeInput(): string {
  const input = window.sessionStorage.getItem(STORAGE_KEY) ?? "";
  window.sessionStorage.removeItem(STORAGE_KEY);
  return input;
}

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

/** Where a page about one request is: it names the ticket that the browser keeps, never the letters. */
export const addressOf = (ticketId: string) => `/link?request=${ticketId}`;

/** Where this tab keeps a code that was typed, but not sent, while its person signs in. */
const PLACE = "latchkey-code";

/** Keeps what is in the field of the page, for when its person comes back from signing in. */
export function keepTypedCode(): void {
  const typed = document.querySelector<HTMLInputElement>("input[name=code]")?.value;
  if (typed) window.sessionStorage.setItem(PLACE, typed);
}

/** What was kept, once. */
export function takeTypedCode(): string {
  const typed = window.sessionStorage.getItem(PLACE) ?? "";
  window.sessionStorage.removeItem(PLACE);
  return typed;
}

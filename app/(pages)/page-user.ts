/** The header in which a page's script names the user of the page. */
export const PAGE_USER = "latchkey-made-for";

let pageUser: string | undefined;

/** The header, for a request of the page's script; empty if nobody was signed in. */
export const pageUserHeader = (): Record<string, string> => (pageUser === undefined ? {} : { [PAGE_USER]: pageUser });

/**
 * From now on, each action and each refresh of this window names the user of its page: another tab may
 * sign in as somebody else, and then nothing shall be done for them. Next has no option for this, so `fetch` gets one.
 */
export function nameUser(id: string): void {
  if (pageUser === undefined) {
    const send = window.fetch.bind(window);
    window.fetch = (input, init) => {
      const headers = init?.headers;
      const isNexts = headers?.constructor === Object && ("next-action" in headers || "rsc" in headers);
      return send(input, isNexts ? { ...init, headers: { ...headers, ...pageUserHeader() } } : init);
    };
  }
  pageUser = id;
}

/** The header in which a page's script names the user whom the page was made for. */
export const MADE_FOR = "latchkey-made-for";

let madeFor: string | undefined;

/** The header, for a request of the page's script; empty if nobody was signed in. */
export const madeForHeader = (): Record<string, string> => (madeFor === undefined ? {} : { [MADE_FOR]: madeFor });

/**
 * From now on, each action and each refresh of this window names the user whom its page was made for: another tab may
 * sign in as somebody else, and then nothing shall be done for them. Next has no place for this, so `fetch` gets one.
 */
export function nameUser(id: string): void {
  if (madeFor === undefined) {
    const send = window.fetch.bind(window);
    window.fetch = (input, init) => {
      const sent = init?.headers;
      const isNexts = sent?.constructor === Object && ("next-action" in sent || "rsc" in sent);
      return send(input, isNexts ? { ...init, headers: { ...sent, ...madeForHeader() } } : init);
    };
  }
  madeFor = id;
}

import { inject } from "vitest";
import { type Answer, type Asking, newNetwork, sendTo } from "./request";
import { openSocket } from "./sockets";

export type { Answer, Asking } from "./request";

let own = newNetwork().id;

export function enterNetwork(): void {
  own = newNetwork().id;
}

export const { url: origin } = inject("service");

export function ask(path: string, asking: Asking = {}, at = origin): Promise<Answer> {
  return sendTo(at, path, { ...asking, network: asking.network ?? own });
}

const AT_ONCE = 8;

/** Does this with each of many, some at a time. */
export async function inParts<One>(all: readonly One[], work: (one: One) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) await Promise.all(all.slice(from, from + AT_ONCE).map(work));
}

/** Sends these bytes as they are, and returns what comes back until the service closes the connection. */
export async function raw(text: string): Promise<string> {
  const { received, closed } = await openSocket(origin, text);
  await closed;
  return received();
}

import { inject } from "vitest";
import { newNetwork } from "./network";
import { type Answer, type Asking, sendTo } from "./request";

export type { Answer, Asking } from "./request";

const own = newNetwork().id;

/** The service that this project's tests speak to. */
export const { url: origin } = inject("service");

/** Sends one request, from a network that this test file alone has where none is named. */
export function ask(path: string, asking: Asking = {}, at = origin): Promise<Answer> {
  return sendTo(at, path, { ...asking, network: asking.network ?? own });
}

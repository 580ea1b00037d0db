import { inject } from "vitest";
import { newNetwork } from "./network";
import { type Answer, type Asking, sendTo } from "./request";

export type { Answer, Asking } from "./request";

const own = newNetwork().id;

/** The service under test in this project. */
export const { url: origin } = inject("service");

/** Sends one request, by default from a network unique to this test file. */
export function ask(path: string, asking: Asking = {}, at = origin): Promise<Answer> {
  return sendTo(at, path, { ...asking, network: asking.network ?? own });
}

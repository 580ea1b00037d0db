import { inject } from "vitest";
import { newNetwork } from "./network";
import { type Answer, type Asking, sendTo } from "./request";

export type { Answer, Asking } from "./request";

let own = newNetwork().id;

/** Each test file asks from a network of its own: the files of a process share this module. */
export function enterNetwork(): void {
  own = newNetwork().id;
}

/** The service under test in this project. */
export const { url: origin } = inject("service");

/** Sends one request, by default from a network unique to this test file. */
export function ask(path: string, asking: Asking = {}, at = origin): Promise<Answer> {
  return sendTo(at, path, { ...asking, network: asking.network ?? own });
}

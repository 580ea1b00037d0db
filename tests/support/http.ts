import { inject } from "vitest";
import { newNetwork } from "./network";
import { type Answer, type Asking, sendTo } from "./request";

export type { Answer, Asking } from "./request";

let own = newNetwork().id;

export function enterNetwork(): void {
  own = newNetwork().id;
}

export const { url: origin } = inject("service");

export function ask(path: string, asking: Asking = {}, at = origin): Promise<Answer> {
  return sendTo(at, path, { ...asking, network: asking.network ?? own });
}

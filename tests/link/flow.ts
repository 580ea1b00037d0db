import { askForCode, type NewCode } from "@/lib/link/ask";
import { approveRequest } from "@/lib/link/decide";
import type { Network } from "@/lib/network";
import { newNetwork } from "@/tests/support/network";
import { makeUser, type TestUser } from "@/tests/support/user";

/** A time in the middle of nowhere, so that nothing of a test happens at the real time by mistake. */
export const START = new Date("2026-03-01T12:00:00.000Z");

/** `START` and so many seconds. */
export function at(seconds: number): Date {
  return new Date(START.getTime() + seconds * 1000);
}

/** A code that a program asked for at `START`. */
export function ask(network: Network = newNetwork(), now = START): Promise<NewCode> {
  return askForCode({ network, userAgent: "curl/8.5.0" }, now);
}

export interface Approved extends NewCode {
  network: Network;
  user: TestUser;
}

/** A code that was asked for and approved at `START`. */
export async function approved(network: Network = newNetwork(), now = START): Promise<Approved> {
  const user = await makeUser();
  const code = await ask(network, now);
  await approveRequest({ id: user.id, network }, code.id, now);
  return { ...code, network, user };
}

import { expect } from "vitest";
import { collectToken } from "@/lib/link/poll";
import { askForStatus } from "@/lib/link/status";
import type { Wait } from "@/lib/link/wait";
import type { Network } from "@/lib/network";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";
import { ask, PROGRAM } from "./flow";

/** A program's wish to wait, and the end of its connection. */
export function wish(seconds = 25): Wait & { disconnect: () => void } {
  const gone = new AbortController();
  return { seconds, gone: gone.signal, isHonoured: false, disconnect: () => gone.abort() };
}

/** What a program gets that asks from `network` and wishes to wait. */
export interface Asked {
  network: Network;
  wait: Wait;
  secret?: string | null;
  webPage?: string | null;
}

export const awaitStatus = (code: string, { network, wait, secret = null, webPage = null }: Asked) =>
  askForStatus(code, { network, program: PROGRAM, webPage }, secret, new Date(), wait);
export const awaitToken = (code: string, { network, wait, secret = null, webPage = null }: Asked) =>
  collectToken(code, { network, program: PROGRAM, webPage }, secret, new Date(), wait);

/** A code that was asked for now, and who decides about it. */
export async function newCode(webPage: string | null = null) {
  const [network, user] = [newNetwork(), await makeUser()];
  return { ...(await ask(network, new Date(), webPage)), network, user, decider: { id: user.id, network } };
}

const perProcess = globalThis as { latchkeyWaiters?: { all: Set<unknown> } };

/** Resolves when so many requests wait in this process. */
export async function untilWaiting(count: number): Promise<void> {
  await expect.poll(() => perProcess.latchkeyWaiters?.all.size ?? 0).toBe(count);
}

/** Fails if the request was answered already. */
export async function expectWaiting(answer: Promise<unknown>): Promise<void> {
  const early = new Promise((resolve) => setTimeout(resolve, 50, "none"));
  expect(await Promise.race([answer, early])).toBe("none");
}

/** Lets requests wait again after `endWaits`. */
export function waitAgain(): void {
  delete perProcess.latchkeyWaiters;
}

import { decideProgram } from "@/lib/link/allow";
import { approveRequest } from "@/lib/link/approve";
import { ALPHABET } from "@/lib/link/code";
import { collectToken } from "@/lib/link/collect";
import { createCode, type NewCode } from "@/lib/link/create";
import { findRequest } from "@/lib/link/enter";
import type { CodeOptions } from "@/lib/link/program";
import type { Requester } from "@/lib/link/requester";
import { readStatus } from "@/lib/link/status";
import { ApiError } from "@/lib/platform/errors";
import type { Network } from "@/lib/platform/network/network";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";

/** A time in the middle of nowhere, so that nothing of a test happens at the real time by mistake. */
export const START = new Date("2026-03-01T12:00:00.000Z");

export function at(seconds: number): Date {
  return new Date(START.getTime() + seconds * 1000);
}

/** What every program of these tests calls itself where it says nothing else. */
export const PROGRAM = "curl/8.5.0";

type Requesting = CodeOptions & { webPage?: string | null };

export function newRequest(
  network: Network = newNetwork(),
  now = START,
  { webPage = null, ...options }: Requesting = {},
): Promise<NewCode> {
  return createCode({ network, program: PROGRAM, webPage }, { ...options, now });
}

let guesses = 0;

/**
 * A code that no program has, another each time: a rude one, which the service never draws. Of those that it draws, two
 * may be alike, or the code of another test.
 */
export function neverIssued(): string {
  const number = guesses++;
  return `BUM${[24 * 24, 24, 1].map((weight) => ALPHABET[Math.floor(number / weight) % 24]).join("")}`;
}

export type Beside = Partial<Requester> & { secret?: string | null };

/** A program's poll for the token, as the interface document has it: without a secret. */
export function collect(
  code: string,
  network: Network,
  now = new Date(),
  { secret = null, ...beside }: Beside = {},
): Promise<{ token: string } | null> {
  return collectToken({ network, program: PROGRAM, webPage: null, ...beside }, code, { secret, now });
}

export function status(code: string, network: Network, now = new Date(), { secret = null, ...beside }: Beside = {}) {
  return readStatus({ network, program: PROGRAM, webPage: null, ...beside }, code, { secret, now });
}

/**
 * What happens when this user enters this code on the page, from a network of nobody else's where none is named.
 */
export function enter(user: { id: string }, code: string, now = new Date(), network = newNetwork()): Promise<string> {
  return findRequest({ id: user.id, network }, code, now);
}

export async function requested(network: Network = newNetwork(), now = START, options: Requesting = {}) {
  const user = await makeUser();
  return { ...(await newRequest(network, now, options)), network, user, actor: { id: user.id, network } };
}

export async function approved(network?: Network, now = START, options: Requesting = {}) {
  const link = await requested(network, now, options);
  await approveRequest(link.actor, link.id, { now });
  return link;
}

/**
 * Returns the result of `work`, or null if a limit refuses it (429). Throws any other failure: it would look like a
 * failed attack.
 */
export function unlessLimited<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error) => {
    if (error instanceof ApiError && error.status === 429) return null;
    throw error;
  });
}

interface Word {
  network: Network;
  webPage?: string;
  now?: Date;
}

const word =
  (decision: "allow" | "disallow") =>
  (user: { id: string }, linkId: string, { network, webPage = "", now }: Word) =>
    decideProgram(user.id, linkId, { decision, network: network.id, webPage, now });

/** The person's word about programs of a network, or a web page there. */
export const [allow, disallow] = [word("allow"), word("disallow")];

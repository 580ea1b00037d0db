import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "@/lib/platform/db/client";
import { isUnavailable } from "@/lib/platform/db/errors";
import { WIDER_POINTS } from "@/lib/platform/limits/limits";
import { log } from "@/lib/platform/log";
import { countedAs, type Network, widerNetworks } from "@/lib/platform/network/network";
import { perProcess } from "@/lib/platform/process";
import { type Approver, type AskedLink, hasLink, linkByCode, type WatchedLink, watchedLinks } from "./queries";
import { nextEnd } from "./states";

/** Longer waits are cut by common proxies and clients. */
export const MAX_WAIT_SECONDS = 25;

/** A program's wish to be answered only when there is something new. */
export interface Wait {
  seconds: number;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Set here: the answer is new, or as late as the program wished. */
  isHonoured: boolean;
}

/** What a program is told of a code. */
export interface CodeResponse<Answer> {
  response: Answer | null;
  /** Waiting would not change the answer. */
  isFinal: boolean;
}

/** A code that a program waits for. */
interface Awaited {
  codeHash: string;
  /** Undefined if there is no such code. */
  linkId: string | undefined;
  network: Network;
}

type Found = { link?: AskedLink; user?: Approver };

/**
 * Calls `look` with a code's link now, after each change, and at the end, until its outcome is final or the time is
 * over. Returns the last outcome, or null if too many are waiting or the client has disconnected. Holds no connection
 * to the database meanwhile.
 */
export async function waitForChange<Answer>(
  { codeHash, linkId, network }: Awaited,
  wait: Wait,
  look: (found: Found, now: Date) => Promise<CodeResponse<Answer>>,
): Promise<CodeResponse<Answer> | null> {
  const waiter: Waiter = { isChanged: false, seen: "", wake: () => {} };
  const leave = addWaiter(waiter, network, linkId);
  if (!leave) return null;
  const until = performance.now() + wait.seconds * 1_000;
  try {
    while (!wait.signal.aborted) {
      const isLate = performance.now() >= until;
      waiter.isChanged = false;
      const found = await findAsked(codeHash);
      const now = new Date();
      waiter.seen = stateOf(found.link, found.user?.id);
      const outcome = await look(found, now);
      wait.isHonoured = outcome.isFinal || isLate;
      if (wait.isHonoured || areWaitsOver()) return outcome;
      const left = until - performance.now();
      const end = found.link && nextEnd(found.link, now);
      await untilChanged(waiter, end ? Math.min(left, end.getTime() - now.getTime()) : left, wait.signal);
    }
    return null;
  } finally {
    leave();
  }
}

/** Resolves when the waiter is woken, the client disconnects, or so many milliseconds are over. */
function untilChanged(waiter: Waiter, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    // A timer drops fractions of a millisecond, those of its start too. Fired early, it would cost one more look.
    const timer = setTimeout(wake, Math.max(0, Math.ceil(ms)) + 1);
    signal.addEventListener("abort", wake);
    waiter.wake = wake;
    if (waiter.isChanged || signal.aborted) wake();
  });
}

/** Requests that wait in this process. */
const WAITING = 4_096;
/** Of one network: 1/64, so a /48, which may have 16 times as many, takes no more than a quarter. */
export const WAITING_OF_NETWORK = WAITING / 64;

const LOOK_EVERY_MS = 1_000;
const LINKS_PER_STATEMENT = 500;

/** A request that waits for a change of a link. */
interface Waiter {
  isChanged: boolean;
  /** `stateOf` the link when the request last looked. */
  seen: string;
  wake: () => void;
}

interface Waiters {
  all: Set<Waiter>;
  byLink: Map<string, Set<Waiter>>;
  /** How many there are of a network and of the networks around it. */
  ofNetwork: Map<string, number>;
  isLooking: boolean;
  isOver: boolean;
}

const waiters = perProcess(
  "waiters",
  (): Waiters => ({ all: new Set(), byLink: new Map(), ofNetwork: new Map(), isLooking: false, isOver: false }),
);

/** Call it after a change of this link is committed: requests that wait for it in this process look immediately. */
export function announceChange(linkId: string): void {
  waiters.byLink.get(linkId)?.forEach(rouse);
}

/** Call it when the process stops: requests that wait are answered immediately, and none waits any more. */
export function endWaits(): void {
  waiters.isOver = true;
  waiters.all.forEach(rouse);
}

const areWaitsOver = () => waiters.isOver;

/**
 * Makes a request wait for changes of a link, if there is one. Returns a function that ends this; null if too many
 * requests of its network, or in all, are waiting.
 */
export function addWaiter(waiter: Waiter, network: Network, linkId: string | undefined): (() => void) | null {
  const { all, byLink, ofNetwork, isOver } = waiters;
  const places = placesOf(network);
  const isFull = places.some(({ key, most }) => (ofNetwork.get(key) ?? 0) >= most);
  if (isOver || isFull || all.size >= WAITING) return null;
  all.add(waiter);
  for (const { key } of places) ofNetwork.set(key, (ofNetwork.get(key) ?? 0) + 1);
  if (linkId !== undefined) byLink.set(linkId, (byLink.get(linkId) ?? new Set()).add(waiter));
  void lookForChanges();
  return () => {
    all.delete(waiter);
    for (const { key } of places) {
      const others = (ofNetwork.get(key) ?? 0) - 1;
      if (others > 0) ofNetwork.set(key, others);
      else ofNetwork.delete(key);
    }
    if (linkId === undefined) return;
    const ofLink = byLink.get(linkId);
    ofLink?.delete(waiter);
    if (ofLink?.size === 0) byLink.delete(linkId);
  };
}

/** As with other limits, requests from this machine, or without an address, have no limit per network. */
function placesOf({ kind, id }: Network): { key: string; most: number }[] {
  if (kind === "local" || kind === "unknown") return [];
  const own = countedAs(id);
  const times = [1, ...WIDER_POINTS];
  return [own, ...widerNetworks(own)].map((key, index) => ({ key, most: WAITING_OF_NETWORK * (times[index] ?? 1) }));
}

function rouse(waiter: Waiter): void {
  waiter.isChanged = true;
  waiter.wake();
}

/** As long as requests wait, asks the database for changes by other processes. */
async function lookForChanges(): Promise<void> {
  const now = waiters;
  if (now.isLooking) return;
  now.isLooking = true;
  while (now.all.size > 0) {
    await sleep(LOOK_EVERY_MS, undefined, { ref: false });
    await lookAt([...now.byLink.keys()]).catch((error) => {
      // If the database is away, each request finds out, and says so, at its end.
      if (!isUnavailable(error))
        log.error({ err: error }, "changes of links could not be read; waiting requests go on");
    });
  }
  now.isLooking = false;
}

async function lookAt(linkIds: string[]): Promise<void> {
  for (let from = 0; from < linkIds.length; from += LINKS_PER_STATEMENT)
    for (const link of await sql.read(watchedLinks(linkIds.slice(from, from + LINKS_PER_STATEMENT))))
      for (const waiter of waiters.byLink.get(link.id) ?? [])
        if (waiter.seen !== stateOf(link, link.approverId)) rouse(waiter);
}

/** Everything of a link and its approver that decides about an answer, in one text. */
export function stateOf(
  link: Pick<WatchedLink, "status" | "allowedNetwork" | "allowedWebPage"> | undefined,
  approverId: string | null = null,
): string {
  return JSON.stringify([link?.status, link?.allowedNetwork, link?.allowedWebPage, approverId]);
}

/** The link with this code and its approver. Always takes equally long: one statement, whatever it finds. */
export async function findAsked(codeHash: string): Promise<{ link?: AskedLink; user?: Approver }> {
  const [link] = await sql.readQuickly(linkByCode(codeHash));
  if (!link || !hasLink(link)) return {};
  const { userId, tokenHash, tokenSealed } = link;
  const isApproved = userId !== null && tokenHash !== null && tokenSealed !== null;
  return { link, user: isApproved ? { id: userId, tokenHash, tokenSealed } : undefined };
}

import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "@/lib/platform/db/client";
import { isUnavailable } from "@/lib/platform/db/errors";
import { WIDER_POINTS } from "@/lib/platform/limits/limits";
import { log } from "@/lib/platform/log";
import { countedAs, type Network, widerNetworks } from "@/lib/platform/network/network";
import { perProcess } from "@/lib/platform/process";
import { type Guest, Room } from "@/lib/platform/queue";
import { type Approver, hasLink, linkByCode, type PolledLink, type WatchedLink, watchedLinks } from "./queries";
import { nextEnd } from "./states";

/** Longer waits are cut by common proxies and clients. */
export const MAX_WAIT_SECONDS = 25;

/** A program's request for a response only when there is something new. */
export interface Wait {
  seconds: number;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Set here: the response is new, or as late as the program requested. */
  isHonoured: boolean;
}

/** What a program gets for a code. */
export interface PollResponse<T> {
  response: T | null;
  /** Waiting would not change it. */
  isFinal: boolean;
}

/** A code that a program waits for. */
interface WaitedCode {
  codeHash: string;
  /** Undefined if there is no such code. */
  linkId: string | undefined;
  network: Network;
}

/** A code's link, if any, and the user who approved it. */
type LinkWithApprover = { link?: PolledLink; user?: Approver };

/**
 * Calls `respond` with a code's link now, after each change, and at the end, until its response is final or the time is
 * over. Returns the last response, or null if too many are waiting or the client has disconnected. Holds no connection
 * to the database meanwhile.
 */
export async function waitForChange<T>(
  { codeHash, linkId, network }: WaitedCode,
  wait: Wait,
  respond: (current: LinkWithApprover, now: Date) => Promise<PollResponse<T>>,
): Promise<PollResponse<T> | null> {
  const waiter: Waiter = { isChanged: false, snapshot: "", wake: () => {} };
  const leave = addWaiter(waiter, network, linkId);
  if (!leave) return null;
  const until = performance.now() + wait.seconds * 1_000;
  try {
    while (!wait.signal.aborted) {
      const isLate = performance.now() >= until;
      waiter.isChanged = false;
      const current = await findPolledLink(codeHash);
      const now = new Date();
      waiter.snapshot = stateOf(current.link, current.user?.id);
      const response = await respond(current, now);
      wait.isHonoured = response.isFinal || isLate;
      if (wait.isHonoured || areWaitsOver()) return response;
      const left = until - performance.now();
      const end = current.link && nextEnd(current.link, now);
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
    // A timer drops fractions of a millisecond, those of its start too. Fired early, it would cost one more read.
    const timer = setTimeout(wake, Math.max(0, Math.ceil(ms)) + 1);
    signal.addEventListener("abort", wake);
    waiter.wake = wake;
    if (waiter.isChanged || signal.aborted) wake();
  });
}

/** Requests that wait in this process. */
const MAX_WAITING = 4_096;
/** Of one network: 1/64, so a /48, which may have 16 times as many, uses no more than a quarter. */
export const MAX_WAITING_OF_NETWORK = MAX_WAITING / 64;

const POLL_INTERVAL_MS = 100;
/** Added to the interval for each link that is waited for, so that thousands do not read all the time. */
const POLL_MS_PER_LINK = 0.25;
const LINKS_PER_STATEMENT = 500;

/** A request that waits for a change of a link. */
interface Waiter {
  isChanged: boolean;
  /** `stateOf` the link when the request last read it. */
  snapshot: string;
  wake: () => void;
}

interface Waiters {
  room: Room<Guest & { waiter: Waiter }>;
  byLink: Map<string, Set<Waiter>>;
  isPolling: boolean;
  isOver: boolean;
}

const waiters = perProcess("waiters", (): Waiters => {
  const ofName = [1, ...WIDER_POINTS].map((times) => ({ count: MAX_WAITING_OF_NETWORK * times }));
  const room: Waiters["room"] = new Room({ ofName, ofAll: { count: MAX_WAITING } });
  return { room, byLink: new Map(), isPolling: false, isOver: false };
});

/** Call it after a change of this link is committed: requests that wait for it in this process read it immediately. */
export function announceChange(linkId: string): void {
  waiters.byLink.get(linkId)?.forEach(rouse);
}

/** Call it when the process stops: requests that wait get their response immediately, and none waits any more. */
export function endWaits(): void {
  waiters.isOver = true;
  for (const { waiter } of waiters.room.all) rouse(waiter);
}

const areWaitsOver = () => waiters.isOver;

/**
 * Makes a request wait for changes of a link, if there is one. Returns a function that ends this; null if too many
 * requests of its network, or in all, are waiting.
 */
export function addWaiter(waiter: Waiter, network: Network, linkId: string | undefined): (() => void) | null {
  const { room, byLink, isOver } = waiters;
  const guest = { names: namesOf(network), waiter };
  if (isOver || room.full(guest)) return null;
  room.enter(guest);
  if (linkId !== undefined) byLink.set(linkId, (byLink.get(linkId) ?? new Set()).add(waiter));
  void pollForChanges();
  return () => {
    room.leave(guest);
    if (linkId === undefined) return;
    const ofLink = byLink.get(linkId);
    ofLink?.delete(waiter);
    if (ofLink?.size === 0) byLink.delete(linkId);
  };
}

/** As with other limits, requests from this machine, or without an address, have no limit per network. */
function namesOf({ kind, id }: Network): string[] {
  if (kind === "local" || kind === "unknown") return [];
  const own = countedAs(id);
  return [own, ...widerNetworks(own)];
}

function rouse(waiter: Waiter): void {
  waiter.isChanged = true;
  waiter.wake();
}

/** As long as requests wait, polls the database for changes by other processes. */
async function pollForChanges(): Promise<void> {
  if (waiters.isPolling) return;
  waiters.isPolling = true;
  while (waiters.room.all.size > 0) {
    await sleep(POLL_INTERVAL_MS + waiters.byLink.size * POLL_MS_PER_LINK, undefined, { ref: false });
    await wakeChanged([...waiters.byLink.keys()]).catch((error) => {
      // If the database is away, each request finds out, and reports it, at its end.
      if (!isUnavailable(error))
        log.error({ err: error }, "changes of links could not be read; waiting requests go on");
    });
  }
  waiters.isPolling = false;
}

async function wakeChanged(linkIds: string[]): Promise<void> {
  for (let from = 0; from < linkIds.length; from += LINKS_PER_STATEMENT)
    for (const link of await sql.read(watchedLinks(linkIds.slice(from, from + LINKS_PER_STATEMENT))))
      for (const waiter of waiters.byLink.get(link.id) ?? [])
        if (waiter.snapshot !== stateOf(link, link.approverId)) rouse(waiter);
}

/** Everything of a link and its approver that decides about a response, in one text. */
export function stateOf(
  link: Pick<WatchedLink, "status" | "allowedNetwork" | "allowedWebPage"> | undefined,
  approverId: string | null = null,
): string {
  return JSON.stringify([link?.status, link?.allowedNetwork, link?.allowedWebPage, approverId]);
}

/** The link with this code and its approver. Always takes equally long: one statement, whatever it finds. */
export async function findPolledLink(codeHash: string): Promise<LinkWithApprover> {
  const [link] = await sql.readQuickly(linkByCode(codeHash));
  if (!link || !hasLink(link)) return {};
  const { userId, tokenHash, tokenSealed } = link;
  const isApproved = userId !== null && tokenHash !== null && tokenSealed !== null;
  return { link, user: isApproved ? { id: userId, tokenHash, tokenSealed } : undefined };
}

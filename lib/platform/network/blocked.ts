import { setTimeout as sleep } from "node:timers/promises";
import { parseNetwork, writeNetwork } from "../addresses";
import { sql } from "../db/client";
import { isNotMigrated, isUnavailable } from "../db/errors";
import { noteFormat, refuseOutdated } from "../db/ready";
import { env } from "../env";
import { ApiError } from "../errors";
import { log } from "../log";
import { countRefusal } from "../metrics";
import { perProcess } from "../process";
import { countedAs, type Network } from "./network";
import { blocksInForce, listVersion } from "./queries";

/** Every request from a blocked network gets it, except those for `OPEN_TO_ALL`. */
export const networkBlocked = () =>
  new ApiError(
    403,
    "network_blocked",
    "This service does not accept requests from your network. " +
      (env.CONTACT ? `If that is a mistake, write to ${env.CONTACT}.` : "If that is a mistake, tell its operator."),
  );

/**
 * Load balancers and monitors poll these, and they reveal nothing that a blocked client could use. So a block that was
 * entered by mistake never takes a healthy process out of service.
 */
export const OPEN_TO_ALL: readonly string[] = ["/health", "/live", "/ready"];

/** While requests come, this process checks so often whether the list has changed. */
const READ_AGAIN_AFTER_MS = 300;
/** A request waits for a list that is older than this: none came for a while. */
const OLDEST_MS = 600;
/** It waits no longer than this: then, as while the database is away, the list last read holds. */
const MAX_WAIT_MS = 250;
/** Remembered verdicts. Beyond it, all are forgotten. */
const MAX_VERDICTS = 10_000;

const FOREVER = Number.POSITIVE_INFINITY;

/** The list as this process last read it. */
interface BlockList {
  /** Until when each blocked network is blocked, in Unix ms. */
  until: Map<string, number>;
  /** The lengths of their prefixes. */
  lengths: number[];
  /** The same for networks of clients, 0 if not at all, as they were requested. */
  verdicts: Map<string, number>;
  version: string;
  /** By `performance.now()`: when the list was last requested, and read. */
  requestedAt: number;
  readAt: number;
  pending?: Promise<void>;
}

const list = perProcess(
  "blocked networks",
  (): BlockList => ({
    until: new Map(),
    lengths: [],
    verdicts: new Map(),
    version: "",
    requestedAt: -FOREVER,
    readAt: -FOREVER,
  }),
);

/**
 * A promise if a request must wait for the list of blocked networks, a quarter of a second at most. So a block holds in
 * every process within a second, and no request alone reads it from the database while others come.
 */
export function awaitList(): Promise<void> | undefined {
  const now = performance.now();
  const age = now - list.readAt;
  if (age < READ_AGAIN_AFTER_MS) return undefined;
  if (!list.pending) {
    list.requestedAt = now;
    list.pending = readList();
  }
  const wait = MAX_WAIT_MS - (now - list.requestedAt);
  if (age < OLDEST_MS || wait <= 0) return undefined;
  return Promise.race([list.pending, sleep(wait, undefined, { ref: false })]);
}

/** Call it after a change of the list: the next request of this process waits for the new one. */
export function expireList(): void {
  list.readAt = -FOREVER;
}

/** Whether the client's network is blocked, by the list last read. Counts it if so. */
export function isBlocked(network: Network): boolean {
  if (list.until.size === 0 || network.kind === "local" || network.kind === "unknown") return false;
  const isNow = blockedUntil(list, countedAs(network.id)) > Date.now();
  if (isNow) countRefusal("blocked networks");
  return isNow;
}

/** The same after waiting for the list. Throws 403 `network_blocked`, and as `refuseOutdated` does. */
export async function refuseBlocked(network: Network): Promise<void> {
  await awaitList();
  refuseOutdated();
  if (isBlocked(network)) throw networkBlocked();
}

/** One look-up per length of prefix, however many networks are blocked. Of several blocks, the longest decides. */
function blockedUntil({ until, lengths, verdicts }: BlockList, id: string): number {
  const remembered = verdicts.get(id);
  if (remembered !== undefined) return remembered;
  const [address, own = 0] = parseNetwork(id) ?? [];
  let longest = 0;
  for (const length of lengths)
    if (address && length <= own) longest = Math.max(longest, until.get(writeNetwork([address, length])) ?? 0);
  if (verdicts.size >= MAX_VERDICTS) verdicts.clear();
  verdicts.set(id, longest);
  return longest;
}

async function readList(): Promise<void> {
  try {
    const [current] = await sql.read(listVersion());
    if (current?.format) noteFormat(current.format);
    const version = `${current?.count} ${current?.ids}`;
    if (version !== list.version) {
      const blocks = await sql.read(blocksInForce(new Date()));
      list.until = new Map(blocks.map(({ network, until }) => [network, until?.getTime() ?? FOREVER]));
      list.lengths = [...new Set(blocks.map(({ network }) => parseNetwork(network)?.[1] ?? 0))];
      list.verdicts = new Map();
      list.version = version;
    }
  } catch (error) {
    // Requests find out by themselves, and say so.
    if (!isUnavailable(error) && !isNotMigrated(error))
      log.error({ err: error }, "the blocked networks could not be read; those last known stay blocked");
  } finally {
    list.pending = undefined;
    list.readAt = performance.now();
  }
}

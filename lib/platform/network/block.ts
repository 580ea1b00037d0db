import { isIP } from "node:net";
import {
  type Address,
  type AddressRange,
  NOT_PUBLIC,
  overlap,
  parseNetwork,
  parseProxies,
  writeNetwork,
} from "../addresses";
import { audit, namesOfActors } from "../audit";
import { db, transaction } from "../db/client";
import { isUniqueViolation } from "../db/errors";
import { deleteInBatches } from "../db/lock";
import { env } from "../env";
import { ApiError, invalidParameter } from "../errors";
import { expireList } from "./blocked";
import { countedAs, type Network } from "./network";

const REASON_LENGTH = 200;
/** Ten years. What should last longer is blocked until somebody ends it. */
const MAX_SECONDS = 3_650 * 86_400;
/** So many networks are blocked at once. */
export const MAX_BLOCKED = 10_000;
/** The widest that can be blocked, in bits of its prefix, and the narrowest: half of an IPv6 address is one network. */
const WIDTHS = { 4: { widest: 16, narrowest: 32 }, 6: { widest: 32, narrowest: 64 } };
/** Two operators may block the same network at the same time. */
const TRIES = 3;

/** What to block. */
interface Blocking {
  /** An address or network, as entered. */
  network: string;
  /** Null: until somebody ends it. */
  seconds: number | null;
  reason: string;
}

/** Who acts: an admin's id, or `OPERATOR`; and from where, if over the network. */
interface Acting {
  actorId: string;
  from?: Network;
}

/**
 * Refuses every request from a network, in every process within a second. Another block of the same network is
 * replaced. Returns the network as it is stored. Throws 400 `invalid_parameter` for what is no such network, is too
 * wide, or may be the operator's own or a proxy's; 403 `network_limit`.
 */
export async function blockNetwork(
  { network: input, seconds, reason: written }: Blocking,
  { actorId, from }: Acting,
  now = new Date(),
): Promise<{ network: string; until: Date | null }> {
  const network = blockable(input, from);
  const reason = readReason(written);
  if (seconds !== null && !(seconds > 0 && seconds <= MAX_SECONDS))
    throw invalidParameter("A block lasts up to ten years, or until the network is unblocked.", "seconds");
  const until = seconds === null ? null : new Date(now.getTime() + seconds * 1_000);
  const detail = { network, until: until?.toISOString() ?? "ended", ...(reason !== "" && { reason }) };
  const write = () =>
    transaction(async (tx) => {
      await tx.blockedNetwork.deleteMany({ where: { network } });
      if ((await tx.blockedNetwork.count()) >= MAX_BLOCKED)
        throw new ApiError(403, "network_limit", `${MAX_BLOCKED} networks can be blocked at most. Unblock one first.`);
      await tx.blockedNetwork.create({ data: { network, reason, since: now, until, actorId } });
      await audit({ at: now, action: "network.block", subjectId: network, actorId, detail }, tx);
    }, "even on a full disk");
  for (let tries = 1; ; tries++) {
    try {
      await write();
      break;
    } catch (error) {
      if (tries === TRIES || !isUniqueViolation(error)) throw error;
    }
  }
  expireList();
  return { network, until };
}

/** Ends a block. Returns the network as it was stored. Throws 404 `block_not_found`, 400 `invalid_parameter`. */
export async function unblockNetwork(input: string, { actorId }: Acting, now = new Date()): Promise<string> {
  const network = writeNetwork(readNetwork(input));
  await transaction(async (tx) => {
    const { count } = await tx.blockedNetwork.deleteMany({ where: { network } });
    if (count === 0) throw new ApiError(404, "block_not_found", `${network} is not blocked.`, { field: "network" });
    await audit({ at: now, action: "network.unblock", subjectId: network, actorId, detail: { network } }, tx);
  }, "even on a full disk");
  expireList();
  return network;
}

function blockable(input: string, from: Network | undefined): string {
  const range = readNetwork(input);
  const own = from && parseNetwork(countedAs(from.id));
  if (own && overlap(range, own)) throw refused("You are on this network yourself: the block would lock you out.");
  if (NOT_PUBLIC.some((other) => overlap(range, other)))
    throw refused("This network is not on the internet: the block might lock out a proxy, and everyone behind it.");
  if ((parseProxies(env.TRUSTED_PROXIES ?? "") ?? []).some((proxy) => overlap(range, proxy)))
    throw refused("A proxy in TRUSTED_PROXIES is on this network: the block would lock everyone out.");
  return writeNetwork(range);
}

/** A single IPv6 address stands for its /64, which one household has entirely. */
function readNetwork(input: string): AddressRange {
  const text = input.trim();
  const [address, length] = parseNetwork(text) ?? [];
  if (!address || length === undefined)
    throw refused("Enter an IPv4 address, or a network like 203.0.113.0/24 or 2001:db8:1:2::/64.");
  const { widest, narrowest } = WIDTHS[versionOf(address)];
  if (length < widest) throw refused(`A network larger than a /${widest} can't be blocked.`);
  if (length > narrowest && text.includes("/")) throw refused(`IPv6 networks are blocked as a /${narrowest} or wider.`);
  return [address, Math.min(length, narrowest)];
}

const versionOf = (address: Address) => (isIP(address.toString()) === 4 ? 4 : 6);

function readReason(written: string): string {
  const reason = written.trim();
  if (reason.length > REASON_LENGTH || /[\p{Cc}\p{Cs}\uFFFD]/u.test(reason))
    throw invalidParameter(`A reason has up to ${REASON_LENGTH} characters on one line.`, "reason");
  return reason;
}

const refused = (sentence: string) => invalidParameter(sentence, "network");

/** A network that is blocked, and since when. */
export interface BlockedNetwork {
  id: number;
  network: string;
  reason: string;
  since: Date;
  /** Null: until somebody ends it. */
  until: Date | null;
  /** Who blocked it: a username, or "operator" for the command; null if the account was deleted. */
  by: string | null;
}

/** The blocks that have not ended, latest first. `before` is the id of one: only earlier ones. */
export async function blockedNetworks(limit: number, before?: number, now = new Date()): Promise<BlockedNetwork[]> {
  const blocks = await db.blockedNetwork.findMany({
    where: { id: { lt: before }, OR: [{ until: null }, { until: { gt: now } }] },
    orderBy: { id: "desc" },
    take: limit,
  });
  const names = await namesOfActors(blocks);
  return blocks.map(({ id, actorId, ...block }) => ({ ...block, id: Number(id), by: names.get(actorId) ?? null }));
}

/** Removes blocks that have ended: nobody was refused by them since. Returns how many. */
export const sweepBlocks = (now = new Date()): Promise<number> =>
  deleteInBatches((tx, limit) => tx.blockedNetwork.deleteMany({ where: { until: { lte: now } }, limit }));

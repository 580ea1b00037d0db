import { audit, auditEvents } from "@/lib/platform/audit";
import { db, sql } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { rateLimited } from "@/lib/platform/errors";
import { leasedLimiter } from "@/lib/platform/limits/leased";
import { limiter, networkLimiter } from "@/lib/platform/limits/limits";
import { type Network, widerNetworks } from "@/lib/platform/network/network";
import { shortMemory } from "@/lib/platform/process";
import { DAY_MS } from "@/lib/platform/time";
import { describeProgram, HIDDEN_PAGE, SHORTENED, shortenUserAgent, siteOf } from "@/lib/platform/user-agent";
import type { LinkCode, LinkQuestion } from "@/prisma/generated/sqlite/client";
import { bind, question } from "./queries";
import { APPROVE_WITHIN_SECONDS, COLLECT_WITHIN_SECONDS } from "./states";
import { announceChange } from "./wait";

/** Who sent a request, as far as it can tell. */
export interface Requester {
  network: Network;
  /** The User-Agent header, shortened. A claim, not a fact. */
  program: string;
  /** The origin of the web page of another site that sent it; null if no web page did. */
  webPage: string | null;
}

const MAX = 120;

/** The sender of a request with these headers to `origin`, the origin of this service. */
export function requesterOf(headers: Headers, network: Network, origin: string): Requester {
  return { network, program: shortenUserAgent(headers.get("user-agent")), webPage: webPageOf(headers, origin) };
}

function webPageOf(headers: Headers, ownOrigin: string): string | null {
  const origin = headers.get("origin");
  if (origin !== null && origin !== ownOrigin) return shortenOrigin(origin);
  // Browsers send it with every request to https and localhost. Node's fetch sends a mode, but no site.
  const site = headers.get("sec-fetch-site");
  if (site === null) return null;
  const isOfScript = (headers.get("sec-fetch-mode") ?? "navigate") !== "navigate";
  if (site === "same-origin") return isOfScript ? shortenOrigin(ownOrigin) : null;
  return isOfScript || (origin === null && /^(cross|same)-site$/.test(site)) ? HIDDEN_PAGE : null;
}

/**
 * Keeps the end of a long origin, because the end of a name identifies its owner. Names in other scripts stay in the
 * ASCII form (RFC 3492) that browsers send.
 */
function shortenOrigin(origin: string): string {
  const printable = origin.replace(/[^!-~]/g, "?");
  if (printable === "") return HIDDEN_PAGE;
  return printable.length > MAX ? SHORTENED + printable.slice(-MAX) : printable;
}

/** A requester in the audit trail: a web page by its host. */
export function auditedRequester({ network, program, webPage }: Requester): Record<string, string> {
  const site = webPage === null ? "" : siteOf(webPage);
  return { network: network.id, program: site || describeProgram(program), ...(webPage !== null && { webPage }) };
}

/** They are stored for 30 days. More than a person reads of one network, and limits still count what is left out. */
const EVENTS_A_DAY = 200;

const events = networkLimiter("link events of a day", EVENTS_A_DAY, {
  seconds: DAY_MS / 1_000,
  counter: leasedLimiter,
});

/** Whether limits do not hold for this network: the machine itself, or where networks are unknown. */
const isUnlimited = ({ kind }: Network): boolean => kind === "local" || kind === "unknown";

/**
 * Whether the audit trail gets one more event of this network's programs, which nobody signed in for. Counted alike
 * for what hits and what misses.
 */
const isAudited = async (network: Network): Promise<boolean> =>
  isUnlimited(network) || (await events.consume(network.id)).allowed;

/** Records that a network reached this limit. */
export async function auditRefusal(network: Network, limit: string, now: Date): Promise<void> {
  if (!(await isAudited(network))) return;
  const detail = { network: network.id, limit };
  await audit({ at: now, action: "link.refuse", subjectId: network.id, actorId: null, detail });
}

const POLLS_WINDOW_SECONDS = 5;
export const GUESS_WINDOW_SECONDS = 10 * 60;
/** Longer than the time from issuing a code to the last moment when it can be collected. */
const POLLED_SECONDS = APPROVE_WITHIN_SECONDS + COLLECT_WITHIN_SECONDS + 5 * 60;
/** After this many different refused codes beyond its limit, a network counts as a guesser's. */
export const REFUSED_CODES = 5;
/**
 * The share of a network's first polls that may be entries on the page: typing errors there must not keep programs from
 * linking.
 */
const PART_OF_ENTRIES = 2 / 3;
/** The maximum clock difference of two processes that share a database. */
const CLOCKS_APART_SECONDS = 1;
/** A refused program may poll again soon: its user may allow it in a moment. */
const RETRY_AFTER_SECONDS = 5;

const polls = limiter("link polls", env.LINK_POLLS_PER_SECOND * POLLS_WINDOW_SECONDS, POLLS_WINDOW_SECONDS);
const firsts = networkLimiter("link first questions", env.LINK_FOREIGN_CODES_PER_10_MINUTES, {
  seconds: GUESS_WINDOW_SECONDS,
});
const entries = networkLimiter(
  "link entries",
  Math.max(1, Math.floor(env.LINK_FOREIGN_CODES_PER_10_MINUTES * PART_OF_ENTRIES)),
  { seconds: GUESS_WINDOW_SECONDS },
);
const polledCodes = limiter("link codes asked for", 1, POLLED_SECONDS);
const refused = networkLimiter("link codes refused", REFUSED_CODES, { seconds: GUESS_WINDOW_SECONDS, isWide: false });
const cachedCodes = shortMemory("link codes asked for", POLLED_SECONDS, 50_000);
const refusedCodes = shortMemory("link codes refused", GUESS_WINDOW_SECONDS, 50_000);
const guessers = shortMemory("link guessers", GUESS_WINDOW_SECONDS, 50_000);

/** A poll for a code by a program that did not prove, by secret, that it got the code. */
interface UnprovenPoll {
  codeHash: string;
  requester: Requester;
  /** The code was issued to this network. */
  isOwn: boolean;
  /** The response would be the token. */
  isReady: boolean;
  /** There is a live code with these letters. */
  isLive: boolean;
}

/**
 * Counts a poll, and returns whether it is the network's first for this code. Throws 429 `rate_limited` if the network
 * has too many first polls, hits and misses alike. Codes that it polled before are still checked (contract, section 4:
 * limits).
 */
export async function limitPoll(
  { codeHash, requester, isOwn, isReady, isLive }: UnprovenPoll,
  now: Date,
): Promise<boolean> {
  const { network } = requester;
  const code = counterKey(codeHash, requester);
  // These are not limited, so they must not leave a counter for everything they poll for.
  if (isUnlimited(network)) return !isOwn && isLive && (await polledCodes.consume(code)).allowed;

  const isFirst = !cachedCodes.has(code) && (await polledCodes.peek(code)).allowed;
  // Before any counter of this code: an endless guesser leaves no counter for each guess.
  if (isFirst) await limitFirst(network, code, { isOwn, now });
  if (!(isOwn && isReady)) {
    const polled = await polls.consume(code);
    if (!polled.allowed) throw rateLimited(polled.retryAfter);
  }
  const isTheFirst = isFirst && (await polledCodes.consume(code)).allowed;
  if (!cachedCodes.has(code)) cachedCodes.add(code);
  // It was counted twice because two came concurrently.
  if (isFirst && !isTheFirst && !isOwn) await firsts.refund(network.id);
  return isTheFirst;
}

/** The first poll for one's own code is not counted, but beyond the limit it is refused like any other. */
async function limitFirst(
  network: Network,
  code: string,
  { isOwn, now }: { isOwn: boolean; now: Date },
): Promise<void> {
  if (guessers.has(network.id)) throw rateLimited(RETRY_AFTER_SECONDS);
  const { allowed, isFirstRefusal, retryAfter } = isOwn
    ? await firsts.peek(network.id)
    : await firsts.consume(network.id);
  if (allowed) return;
  if (isFirstRefusal) await auditRefusal(network, "other codes", now);
  // A program that keeps polling for its one new code is not a guesser.
  const isAnother = !refusedCodes.has(code);
  refusedCodes.add(code);
  if (isAnother && !(await refused.consume(network.id)).allowed) guessers.add(network.id);
  throw rateLimited(retryAfter);
}

/**
 * Whether a program of the code's network may collect it without the approver's permission. Not if its network polled
 * for the code before it was issued: that is a guesser who waits. And not while somebody there keeps guessing beyond
 * the limit: those polls cannot be told from the program's.
 */
export async function mayCollectByNetwork(codeHash: string, requester: Requester, issuedAt: Date): Promise<boolean> {
  if (isUnlimited(requester.network)) return true;
  if (await isGuessing(requester.network)) return false;
  const { openedAt } = await polledCodes.peek(counterKey(codeHash, requester));
  return openedAt !== null && openedAt >= issuedAt.getTime() - CLOCKS_APART_SECONDS * 1_000;
}

/**
 * Throws 429 `rate_limited` for misses in a network where somebody guesses, so that the guesser does not learn which
 * codes are checked.
 */
export function hideFromGuesser({ network }: Requester): void {
  if (guessers.has(network.id)) throw rateLimited(RETRY_AFTER_SECONDS);
}

async function isGuessing(network: Network): Promise<boolean> {
  if (guessers.has(network.id)) return true;
  const isOne = (await refused.peek(network.id)).consumed > REFUSED_CODES;
  if (isOne) guessers.add(network.id);
  return isOne;
}

/**
 * Since when a network counts as a guesser's, in every process; null if it does not. Until ten minutes later, its
 * programs without a secret need the approver's permission.
 */
export async function guessesSince(networkId: string): Promise<Date | null> {
  const { consumed, openedAt } = await refused.peek(networkId);
  return consumed > REFUSED_CODES && openedAt !== null ? new Date(openedAt) : null;
}

/** The key of the counters of a code that this network polled for. */
function counterKey(codeHash: string, { network, webPage }: Requester): string {
  return `${network.id} ${webPage ?? ""} ${codeHash}`;
}

/**
 * Counts a code entered on the page, before it is checked. Returns a function that undoes this if the code was right.
 * Throws 429 `rate_limited`.
 */
export async function limitEntry(network: Network, now: Date): Promise<() => Promise<void>> {
  if (isUnlimited(network)) return async () => {};
  const limits = [entries, firsts];
  for (const limit of limits) {
    const { allowed, isFirstRefusal, retryAfter } = await limit.consume(network.id);
    if (allowed) continue;
    if (isFirstRefusal) await auditRefusal(network, "entries", now);
    throw rateLimited(retryAfter, "Too many wrong codes were entered from your network. Try again in a few minutes.");
  }
  return async () => {
    for (const limit of limits) await limit.refund(network.id);
  };
}

/** Only the latest are read; more exist only during a flood. */
const MAX_READ = 200;
const MAX_NAMED = 6;
/** Shown per wider network, so that the owner of a complete one does not hide the others. */
const MAX_NAMED_OF_NETWORK = 2;

/**
 * Records that a program polled for a code that it did not prove to be its own. A miss runs the same statements, so
 * that it takes equally long; in the audit trail, as many of a network as it has space for. `linkId`: the live code's,
 * if any.
 */
export async function recordQuestion(
  requester: Requester,
  codeHash: string,
  { linkId, now }: { linkId: string | null; now: Date },
): Promise<void> {
  const { network, program, webPage } = requester;
  const event =
    linkId === null
      ? { action: "link.refuse" as const, subjectId: network.id }
      : { action: "link.look" as const, subjectId: linkId };
  const isEvent = await isAudited(network);
  await sql.batch([
    question({ codeHash, network: network.id, webPage: webPage ?? "", program, at: now }),
    ...(isEvent ? [auditEvents({ at: now, actorId: null, detail: auditedRequester(requester), ...event })] : []),
  ]);
  // The approver's page asks about it.
  if (linkId !== null) announceChange(linkId);
}

/** After its first right secret, only programs with the secret can collect. */
export async function bindToSecret(linkId: string, now: Date): Promise<void> {
  await sql.batch([bind(linkId, now)]);
}

/**
 * Programs that polled for this code and did not prove to be its own: on how many other networks, and which to name,
 * the likeliest first.
 */
export async function questionsFor(link: LinkCode): Promise<{ networks: number; likeliest: LinkQuestion[] }> {
  if (link.codeHash === null) return { networks: 0, likeliest: [] };
  const questions = await db.linkQuestion.findMany({
    where: { codeHash: link.codeHash, at: { gte: link.createdAt } },
    orderBy: { at: "desc" },
    take: MAX_READ,
  });
  const isSame = ({ program }: LinkQuestion) => program === link.program;
  return {
    networks: new Set(questions.map(({ network }) => network).filter((network) => network !== link.network)).size,
    likeliest: spread([...questions.filter(isSame), ...questions.filter((question) => !isSame(question))]),
  };
}

function spread(questions: LinkQuestion[]): LinkQuestion[] {
  const named = new Map<string, number>();
  const isNamed = ({ network }: LinkQuestion) => {
    const widest = widerNetworks(network).at(-1) ?? network;
    const count = (named.get(widest) ?? 0) + 1;
    named.set(widest, count);
    return count <= MAX_NAMED_OF_NETWORK;
  };
  return questions.filter(isNamed).slice(0, MAX_NAMED);
}

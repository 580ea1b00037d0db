import { edgeWith, isAmong, locationOf, parseAddress, parseProxies } from "@/lib/platform/addresses";
import { PROXIES } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { PROXIES_REMEMBERED_MS } from "@/lib/platform/network/forwarded";
import { type Fault, MAX_PER_KIND } from "./finding";

/** Every process of the service may note the same proxies, and edges that somebody pretends to be. */
const MAX_EVENTS = 2_000;
const WHAT_FOLLOWS =
  "the people behind it cannot be told apart, share their limits, and must also press Allow for each link";

/**
 * Recorded proxies that TRUSTED_PROXIES does not name or that name no client and, if there are none, what the
 * configuration itself shows.
 */
export async function* proxies(now: Date): AsyncGenerator<Fault> {
  const { unnamed, silent, edges } = await recordedProxies(now);
  for (const [proxy, name] of [...unnamed].slice(0, MAX_PER_KIND))
    yield {
      problem: `Requests come through ${proxy}, which is not in TRUSTED_PROXIES: ${WHAT_FOLLOWS}.`,
      advice: `If it is a proxy of yours, set TRUSTED_PROXIES=${settingWith(name)}.`,
    };
  for (const [proxy, { name, last, isNamed }] of [...silent].slice(0, MAX_PER_KIND))
    yield {
      problem:
        `Requests without a client address came through ${proxy}, last noticed at ${last.toISOString()}. ` +
        `If it is a proxy or a tunnel: ${WHAT_FOLLOWS}.`,
      advice:
        `Have the proxy send X-Forwarded-For${isNamed ? "" : `, and set TRUSTED_PROXIES=${settingWith(name)}`}. A ` +
        "tunnel, or a proxy in TCP mode, cannot do this: replace it with a proxy in HTTP mode. If they came from a " +
        "program there, such as curl, nothing is wrong.",
    };
  for (const [proxy, { name, last, header }] of [...edges].slice(0, MAX_PER_KIND))
    yield {
      problem:
        `Requests came through ${proxy}, for which ${header} names another client, as content delivery networks do, ` +
        `last noticed at ${last.toISOString()}: ${WHAT_FOLLOWS}.`,
      advice:
        `If it is an edge of yours, set TRUSTED_PROXIES=${settingWith(name)}, and see docs/operations.md, behind a ` +
        "CDN. If it is not, someone there writes this header, and nothing is wrong.",
    };
  if (
    unnamed.size + silent.size + edges.size === 0 &&
    !env.TRUSTED_PROXIES &&
    !env.VERCEL &&
    env.NEXTAUTH_URL?.startsWith("https:")
  )
    yield {
      problem: `NEXTAUTH_URL is https, so a proxy stands in front, but TRUSTED_PROXIES is not set: ${WHAT_FOLLOWS}.`,
      advice:
        "Set TRUSTED_PROXIES to the address from which the proxy comes: loopback for one on this machine. " +
        "The log names it.",
    };
}

const settingWith = (name: string) => [...new Set([env.TRUSTED_PROXIES, name])].filter(Boolean).join(",");

interface Recorded {
  /** By address, how TRUSTED_PROXIES would name it. */
  unnamed: Map<string, string>;
  silent: Map<string, { name: string; last: Date; isNamed: boolean }>;
  /** Those for which a header of a content delivery network names another client. */
  edges: Map<string, { name: string; last: Date; header: string }>;
}

/** Proxies recorded in the last seven days: those still not named, and those that name nobody. */
async function recordedProxies(now: Date): Promise<Recorded> {
  const trusted = parseProxies(env.TRUSTED_PROXIES ?? "") ?? [];
  const events = await db.auditEvent.findMany({
    where: {
      subjectId: PROXIES,
      action: "proxy.unnamed",
      at: { gte: new Date(now.getTime() - PROXIES_REMEMBERED_MS) },
    },
    orderBy: { id: "desc" },
    take: MAX_EVENTS,
    select: { detail: true, at: true },
  });
  const recorded: Recorded = { unnamed: new Map(), silent: new Map(), edges: new Map() };
  for (const { detail, at } of events) {
    const { proxy, silent, header } = JSON.parse(detail);
    const address = parseAddress(proxy);
    if (!address) continue;
    const name = edgeWith(address) ?? (locationOf(address) === "loopback" ? "loopback" : proxy);
    const isNamed = isAmong(address, trusted);
    if (header) {
      if (!isNamed && !recorded.edges.has(proxy)) recorded.edges.set(proxy, { name, last: at, header });
      continue;
    }
    if (silent && !recorded.silent.has(proxy)) recorded.silent.set(proxy, { name, last: at, isNamed });
    if (!silent && !isNamed) recorded.unnamed.set(proxy, name);
  }
  return recorded;
}

import { isAmong, parseAddress, parseProxies, placeOf } from "@/lib/addresses";
import { PROXIES } from "@/lib/audit";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import type { Finding } from "./finding";

const REMEMBERED_MS = 7 * 86_400_000;
/** Findings per kind; more would add nothing. */
const MOST = 20;
const WHAT_FOLLOWS = "the people behind it are not told apart, share their limits, and must allow each link by a press";

/**
 * Recorded proxies that TRUSTED_PROXIES does not name or that name no client and, if there are none, what the
 * configuration itself shows.
 */
export async function* proxies(now: Date): AsyncGenerator<Finding> {
  const { unnamed, silent } = await recordedProxies(now);
  for (const [proxy, name] of unnamed)
    yield {
      check: "proxies",
      problem: `Requests come through ${proxy}, which TRUSTED_PROXIES does not name: ${WHAT_FOLLOWS}.`,
      advice: `If it is a proxy of yours, set TRUSTED_PROXIES=${settingWith(name)}.`,
    };
  for (const [proxy, { name, last, isNamed }] of silent)
    yield {
      check: "proxies",
      problem:
        `Requests came through ${proxy} that name no client, last noticed at ${last.toISOString()}. If it is a proxy ` +
        `or a tunnel: ${WHAT_FOLLOWS}.`,
      advice:
        `Let the proxy send X-Forwarded-For${isNamed ? "" : `, and set TRUSTED_PROXIES=${settingWith(name)}`}. A ` +
        "tunnel, or a proxy in TCP mode, cannot: put a proxy in HTTP mode in its place. If they came from a program " +
        "there, such as curl, nothing is wrong.",
    };
  if (unnamed.size + silent.size === 0 && !env.TRUSTED_PROXIES && !env.VERCEL && env.NEXTAUTH_URL?.startsWith("https:"))
    yield {
      check: "proxies",
      problem: `NEXTAUTH_URL is https, so a proxy stands in front, but TRUSTED_PROXIES is not set: ${WHAT_FOLLOWS}.`,
      advice:
        "Set TRUSTED_PROXIES to the address from which the proxy comes: loopback for one on this machine. " +
        "The log names it.",
    };
}

const settingWith = (name: string) => [env.TRUSTED_PROXIES, name].filter(Boolean).join(",");

interface Recorded {
  /** By address, how TRUSTED_PROXIES would name it. */
  unnamed: Map<string, string>;
  silent: Map<string, { name: string; last: Date; isNamed: boolean }>;
}

/** Proxies recorded in the last seven days: those still not named, and those that name nobody. */
async function recordedProxies(now: Date): Promise<Recorded> {
  const trusted = parseProxies(env.TRUSTED_PROXIES ?? "") ?? [];
  const events = await db.auditEvent.findMany({
    where: { subjectId: PROXIES, action: "proxy.unnamed", at: { gte: new Date(now.getTime() - REMEMBERED_MS) } },
    orderBy: { id: "desc" },
    take: MOST,
    select: { detail: true, at: true },
  });
  const found: Recorded = { unnamed: new Map(), silent: new Map() };
  for (const { detail, at } of events) {
    const { proxy, silent } = JSON.parse(detail);
    const address = parseAddress(proxy);
    if (!address) continue;
    const name = placeOf(address) === "loopback" ? "loopback" : proxy;
    const isNamed = isAmong(address, trusted);
    if (silent && !found.silent.has(proxy)) found.silent.set(proxy, { name, last: at, isNamed });
    if (!silent && !isNamed) found.unnamed.set(proxy, name);
  }
  return found;
}

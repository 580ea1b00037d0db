import { isAmong, parseAddress, parseProxies, placeOf } from "@/lib/addresses";
import { PROXIES } from "@/lib/audit";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import type { Finding } from "./finding";

const REMEMBERED_MS = 7 * 86_400_000;
/** Findings per kind; more would add nothing. */
const MOST = 20;
const WHAT_FOLLOWS = "the people behind it are not told apart, share their limits, and must allow each link by a press";

/** Recorded proxies that TRUSTED_PROXIES does not name or, without any, what the configuration itself shows. */
export async function* proxies(now: Date): AsyncGenerator<Finding> {
  const unnamed = await unnamedProxies(now);
  for (const [proxy, name] of unnamed) {
    const named = [env.TRUSTED_PROXIES, name].filter(Boolean).join(",");
    yield {
      check: "proxies",
      problem: `Requests come through ${proxy}, which TRUSTED_PROXIES does not name: ${WHAT_FOLLOWS}.`,
      advice: `If it is a proxy of yours, set TRUSTED_PROXIES=${named}.`,
    };
  }
  if (unnamed.size === 0 && !env.TRUSTED_PROXIES && !env.VERCEL && env.NEXTAUTH_URL?.startsWith("https:"))
    yield {
      check: "proxies",
      problem: `NEXTAUTH_URL is https, so a proxy stands in front, but TRUSTED_PROXIES is not set: ${WHAT_FOLLOWS}.`,
      advice:
        "Set TRUSTED_PROXIES to the address from which the proxy comes: loopback for one on this machine. " +
        "The log names it.",
    };
}

/** Proxies recorded in the last seven days and still not named, each with the setting to name it. */
async function unnamedProxies(now: Date): Promise<Map<string, string>> {
  const trusted = parseProxies(env.TRUSTED_PROXIES ?? "") ?? [];
  const events = await db.auditEvent.findMany({
    where: { subjectId: PROXIES, action: "proxy.unnamed", at: { gte: new Date(now.getTime() - REMEMBERED_MS) } },
    orderBy: { id: "desc" },
    take: MOST,
    select: { detail: true },
  });
  const found = new Map<string, string>();
  for (const { detail } of events) {
    const proxy = String(JSON.parse(detail).proxy);
    const address = parseAddress(proxy);
    if (address && !isAmong(address, trusted)) found.set(proxy, placeOf(address) === "loopback" ? "loopback" : proxy);
  }
  return found;
}

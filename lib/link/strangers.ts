import { audit } from "@/lib/audit";
import { DAY_MS } from "@/lib/hours";
import { leasedLimiter } from "@/lib/leased-limits";
import type { Network } from "@/lib/network";
import { networkLimiter } from "@/lib/network-limits";

/** They are kept for 30 days. More than a person reads of one network, and limits still count what is left out. */
const EVENTS_A_DAY = 200;

const events = networkLimiter("link events of a day", EVENTS_A_DAY, DAY_MS / 1_000, leasedLimiter);

/** Whether limits do not hold for this network: the machine itself, or where networks are unknown. */
export const isUnlimited = ({ kind }: Network): boolean => kind === "local" || kind === "unknown";

/**
 * Whether the audit trail gets one more event of this network's programs, which nobody signed in for. Asked alike for
 * what hits and what misses.
 */
export const isAudited = async (network: Network): Promise<boolean> =>
  isUnlimited(network) || (await events.take(network.id)).allowed;

/** Records that a network reached this limit. */
export async function auditRefusal(network: Network, limit: string, now: Date): Promise<void> {
  if (!(await isAudited(network))) return;
  const detail = { network: network.id, limit };
  await audit({ at: now, action: "link.refuse", subjectId: network.id, actorId: null, detail });
}

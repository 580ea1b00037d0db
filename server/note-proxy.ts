import { audit, PROXIES } from "@/lib/platform/audit";
import { log } from "@/lib/platform/log";

/**
 * Records that requests come through a proxy that is missing from TRUSTED_PROXIES or, a silent one, that names no
 * client, so that `doctor` can report it. Never throws.
 */
export async function noteProxy(proxy: string, isSilent: boolean): Promise<void> {
  const detail = { proxy, ...(isSilent && { silent: "yes" }) };
  try {
    await audit({ at: new Date(), action: "proxy.unnamed", subjectId: PROXIES, actorId: null, detail });
  } catch (error) {
    log.warn({ err: error }, "a proxy missing from TRUSTED_PROXIES could not be recorded for doctor");
  }
}

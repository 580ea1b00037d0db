import { audit, PROXIES } from "@/lib/audit";
import { log } from "@/lib/log";

/**
 * Records that requests come through a proxy missing from TRUSTED_PROXIES, so that `doctor` can report it. Never
 * throws.
 */
export async function noteProxy(proxy: string): Promise<void> {
  try {
    await audit({ at: new Date(), action: "proxy.unnamed", subjectId: PROXIES, actorId: null, detail: { proxy } });
  } catch (error) {
    log.warn({ err: error }, "a proxy missing from TRUSTED_PROXIES could not be recorded for doctor");
  }
}

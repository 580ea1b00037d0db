import { audit, PROXIES } from "@/lib/audit";
import { log } from "@/lib/log";

/** Writes down that requests come through a proxy that TRUSTED_PROXIES does not name, so that `doctor` can say it. Never throws. */
export async function noteProxy(proxy: string): Promise<void> {
  try {
    await audit({ at: new Date(), action: "proxy.unnamed", subjectId: PROXIES, actorId: null, detail: { proxy } });
  } catch (error) {
    log.warn({ err: error }, "a proxy that TRUSTED_PROXIES does not name could not be written down for doctor");
  }
}

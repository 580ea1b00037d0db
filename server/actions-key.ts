import { derivedKeys } from "@/lib/platform/crypto/secrets";
import { sealActionsWith } from "@/lib/platform/env";

/**
 * Makes Next seal the bound data of page actions with a key from this deployment's secret, the same in all its
 * processes. The build's key follows from public sources. Called before Next is asked for a page.
 */
export function setActionsKey(): void {
  sealActionsWith(derivedKeys("page actions")[0].export().toString("base64"));
}

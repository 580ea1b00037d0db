import { sealActionsWith } from "@/lib/env";
import { derivedKeys } from "@/lib/secrets";

/**
 * Has Next seal what actions of pages carry along under a key of this deployment's secret, the same in all its processes. The one of the build follows from
 * public sources. Called before Next is asked for a page.
 */
export function keepActionsKey(): void {
  sealActionsWith(derivedKeys("page actions")[0].export().toString("base64"));
}

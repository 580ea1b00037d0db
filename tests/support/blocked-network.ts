import { OPERATOR } from "@/lib/platform/audit";
import { blockNetwork } from "@/lib/platform/network/block";
import { ask } from "./http";
import { newNetwork } from "./request";

let blocked: Promise<string> | undefined;

/** The address of a client whose network is blocked, once every process of the service refuses it. */
export function blockedNetwork(): Promise<string> {
  blocked ??= (async () => {
    const { id } = newNetwork();
    await blockNetwork({ network: id, seconds: 3_600, reason: "" }, { actorId: OPERATOR });
    let refused = 0;
    // In a row, because a load balancer passes them to the processes in turn.
    while (refused < 4) refused = (await ask("/me", { network: id })).status === 403 ? refused + 1 : 0;
    return id;
  })();
  return blocked;
}

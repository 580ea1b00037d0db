"use server";

import { z } from "zod";
import { endRequest } from "@/lib/link/end";
import { invalidParameter } from "@/lib/platform/errors";
import { blockNetwork, unblockNetwork } from "@/lib/platform/network/block";
import { action } from "../../action";
import { BLOCK_TIMES } from "./times";

/** Ends a program's request. */
export const endCode = action({
  who: { operator: "link.end" },
  input: z.string().max(100),
  refreshes: true,
  run: (linkId, { id }) => endRequest(id, linkId),
});

/** Blocks a network for one of the times of the page, and returns it as it is stored. */
export const refuseNetwork = action({
  who: { operator: "network.block" },
  input: z.object({ network: z.string(), time: z.string(), reason: z.string() }),
  refreshes: true,
  async run({ network, time, reason }, { id }, { network: from }) {
    const chosen = BLOCK_TIMES.find(({ value }) => value === time);
    if (!chosen) throw invalidParameter("Select how long the network is blocked.");
    const blocked = await blockNetwork({ network, seconds: chosen.seconds, reason }, { actorId: id, from });
    return blocked.network;
  },
});

/** Ends the block of a network. */
export const admitNetwork = action({
  who: { operator: "network.unblock" },
  input: z.string(),
  refreshes: true,
  run: async (network, { id }) => void (await unblockNetwork(network, { actorId: id })),
});

"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { endRequest } from "@/lib/link/approve";
import { invalidParameter } from "@/lib/platform/errors";
import { blockNetwork, unblockNetwork } from "@/lib/platform/network/block";
import { clientNetwork } from "@/lib/platform/network/client";
import type { Outcome } from "../../outcome";
import { read } from "../../read";
import { consoleAction } from "../console-request";
import { BLOCK_TIMES } from "./times";

const blockInput = z.object({ network: z.string(), time: z.string(), reason: z.string() });

/** Ends a program's request. */
export async function endCode(linkId: string): Promise<Outcome<void>> {
  return consoleAction("link.end", async ({ id }) => {
    await endRequest(id, read(z.string().max(100), linkId));
    refresh();
  });
}

/** Blocks a network for one of the times of the page, and returns it as it is stored. */
export async function refuseNetwork(input: {
  network: string;
  time: string;
  reason: string;
}): Promise<Outcome<string>> {
  return consoleAction("network.block", async ({ id }) => {
    const { network, time, reason } = read(blockInput, input);
    const chosen = BLOCK_TIMES.find(({ value }) => value === time);
    if (!chosen) throw invalidParameter("Select how long the network is blocked.");
    const from = clientNetwork(await headers());
    const blocked = await blockNetwork({ network, seconds: chosen.seconds, reason }, { actorId: id, from });
    refresh();
    return blocked.network;
  });
}

/** Ends the block of a network. */
export async function admitNetwork(network: string): Promise<Outcome<void>> {
  return consoleAction("network.unblock", async ({ id }) => {
    await unblockNetwork(read(z.string(), network), { actorId: id });
    refresh();
  });
}

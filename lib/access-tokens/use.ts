import { auditEvents } from "@/lib/audit";
import { sql } from "@/lib/db/client";
import { keepAwake } from "@/lib/keep-awake";
import { log } from "@/lib/log";
import type { Network } from "@/lib/network";
import { shortMemory } from "@/lib/short-memory";
import type { Caller, TokenInUse } from "@/lib/user";
import { markUsed, rememberNetwork } from "./rows";

/** The accuracy of "last used". */
const USED_WITHIN_SECONDS = 5 * 60;
/** Networks remembered per token: uses from further ones are no longer told apart. */
const MOST_NETWORKS = 50;

const lately = shortMemory("access tokens used", USED_WITHIN_SECONDS, 50_000);

/**
 * Records the use of an access token: when, and in the audit trail the first use from each network. The request does
 * not wait for it.
 */
export function recordUse({ id, accessToken: token }: Required<Caller>, network: Network, now = new Date()): void {
  const use = `${token.id} ${network.id}`;
  if (lately.has(use)) return;
  lately.add(use);
  keepAwake(
    write(id, token, network, now).catch((error) =>
      log.warn({ err: error }, "the use of a token could not be recorded"),
    ),
  );
}

async function write(userId: string, token: TokenInUse, network: Network, now: Date): Promise<void> {
  const detail = { name: token.name, network: network.id };
  await sql.batch([
    rememberNetwork(token.id, network.id, MOST_NETWORKS, now),
    auditEvents({ at: now, action: "token.use", subjectId: token.id, actorId: userId, detail }),
  ]);
  await sql.batch([markUsed(token.id, now, new Date(now.getTime() - USED_WITHIN_SECONDS * 1_000))]);
}

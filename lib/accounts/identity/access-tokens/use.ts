import { type Access, covers, isAccess } from "@/lib/platform/access";
import { auditEvents } from "@/lib/platform/audit";
import { hashAccessToken } from "@/lib/platform/crypto/tokens";
import { sql } from "@/lib/platform/db/client";
import type { SqlTransaction } from "@/lib/platform/db/sql";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { type Network, withoutClaims } from "@/lib/platform/network/network";
import { keepAwake, shortMemory } from "@/lib/platform/process";
import { DAY_MS } from "@/lib/platform/time";
import type { AccessToken } from "@/prisma/generated/sqlite/client";
import type { NetworkContext } from "../../context";
import { accountDisabled, invalidToken, tokenAccess } from "../../errors";
import { markUsed, rememberNetwork, start, tokenByHash } from "../queries";
import type { TokenCaller } from "../user";
import { provingOf } from "./audiences";

type Life = Pick<AccessToken, "expiresAt" | "startsAt" | "usedAt" | "idleDays">;

/** Days without use after which new tokens end, if TOKEN_IDLE_DAYS is not set. */
export const DEFAULT_IDLE_DAYS = 90;

/** When the token stops working unless it is used; null: never. */
export function endOf({ expiresAt, startsAt, usedAt, idleDays }: Life): Date | null {
  const [latest, days] = [usedAt ?? startsAt, env.TOKEN_IDLE_DAYS ?? idleDays ?? 0];
  const idle = days > 0 && latest ? new Date(latest.getTime() + days * DAY_MS) : null;
  if (!idle || (expiresAt && expiresAt < idle)) return expiresAt;
  return idle;
}

/** Whether the token works now. */
export function works(token: Life, now: Date): boolean {
  const end = endOf(token);
  return token.startsAt !== null && (end === null || end > now);
}

/**
 * The user with this access token, if it works and its user may make requests. Throws 401 `invalid_token` or 403
 * `account_disabled`.
 */
export async function findTokenCaller(text: string, now = new Date()): Promise<TokenCaller> {
  const [row] = await sql.readQuickly(tokenByHash(hashAccessToken(text)));
  if (!row || !isAccess(row.access) || !works(row, now)) throw invalidToken();
  if (row.disabledAt) throw accountDisabled();
  const { id, username, role, tokenId, name, access, expiresAt } = row;
  return { id, username, role, accessToken: { id: tokenId, name, access, expiresAt, ...provingOf(row) } };
}

/** Throws 403 `token_access` if the token's access is less than what a route needs (contract, section 5: tokens). */
export function requireAccess({ accessToken }: TokenCaller, needed: Access): void {
  if (!covers(accessToken.access, needed)) throw tokenAccess(accessToken.access, needed);
}

/** The accuracy of "last used". */
const USED_WITHIN_SECONDS = 5 * 60;
/** Networks remembered per token: uses from further ones are no longer told apart. */
const MAX_NETWORKS = 50;

const lately = shortMemory("access tokens used", USED_WITHIN_SECONDS, 50_000);

/**
 * Records the use of an access token: when, and in the audit trail the first use from each network. The request does
 * not wait for it.
 */
export function recordUse(caller: TokenCaller, { network, now = new Date() }: NetworkContext): void {
  const use = `${caller.accessToken.id} ${withoutClaims(network.id)}`;
  if (lately.has(use)) return;
  lately.add(use);
  keepAwake(
    writeUse(caller, network, now).catch((error) =>
      log.warn({ err: error }, "the use of a token could not be recorded"),
    ),
  );
}

async function writeUse({ id, accessToken: token }: TokenCaller, from: Network, now: Date): Promise<void> {
  const network = withoutClaims(from.id);
  const detail = { name: token.name, network };
  await sql.batch([
    rememberNetwork(token.id, network, { limit: MAX_NETWORKS, now }),
    auditEvents({ at: now, action: "token.use", subjectId: token.id, actorId: id, detail }),
  ]);
  await sql.batch([markUsed(token.id, now, new Date(now.getTime() - USED_WITHIN_SECONDS * 1_000))]);
}

/** Makes a collected token work. Its sealed form is stored until `sealedUntil`. */
export async function startToken(
  tx: SqlTransaction,
  id: string,
  { now, sealedUntil }: { now: Date; sealedUntil: Date },
): Promise<void> {
  await tx.write(start(id, now, sealedUntil));
}

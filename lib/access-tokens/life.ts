import { env } from "@/lib/env";
import type { AccessToken } from "@/prisma/generated/sqlite/client";

const DAY_MS = 24 * 60 * 60 * 1000;

type Life = Pick<AccessToken, "expiresAt" | "startsAt" | "usedAt">;

/** When the token stops working unless it is used; null: never. */
export function endOf({ expiresAt, startsAt, usedAt }: Life): Date | null {
  const latest = usedAt ?? startsAt;
  const idle = env.TOKEN_IDLE_DAYS > 0 && latest ? new Date(latest.getTime() + env.TOKEN_IDLE_DAYS * DAY_MS) : null;
  if (!idle || (expiresAt && expiresAt < idle)) return expiresAt;
  return idle;
}

/** Whether the token works now. */
export function works(token: Life, now: Date): boolean {
  const end = endOf(token);
  return token.startsAt !== null && (end === null || end > now);
}

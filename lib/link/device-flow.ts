import { type Access, covers, isAccess, storedAccess } from "@/lib/platform/access";
import { db } from "@/lib/platform/db/client";
import { limiter } from "@/lib/platform/limits/limits";
import { tokenFor } from "./collect";
import { createCode, type NewCode } from "./create";
import { type CheckedPoll, type Poll, respondToPoll } from "./poll";
import { DEVICE } from "./poll-secret";
import type { CodeOptions } from "./program";
import type { Requester } from "./requester";
import { isObtainable, isUndecided, type LinkStatus, OAUTH_ERRORS, POLL_INTERVAL_SECONDS, statusOf } from "./states";
import type { PollResponse } from "./wait";

/** The grant type of the device flow (RFC 8628, section 3.4). */
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** Without a scope, a program may read: what most want. */
const DEFAULT_ACCESS: Access = "read";

/** The access that a scope names (RFC 6749, section 3.3). Words of others count as nothing: then it is `identity`. */
export function accessOfScope(scope: string | undefined): Access {
  if (!scope?.trim()) return DEFAULT_ACCESS;
  const named = scope.split(" ").filter(isAccess);
  return named.reduce<Access>((most, one) => (covers(one, most) ? one : most), "identity");
}

/** A new code for a program that knows OAuth's device flow (RFC 8628). Throws as `createCode` does. */
export async function startDevice(
  requester: Requester,
  { name, scope, audience, now }: Pick<CodeOptions, "name" | "audience"> & { scope?: string; now?: Date },
): Promise<Omit<NewCode, "secret"> & { deviceCode: string }> {
  const { secret, ...issued } = await createCode(requester, {
    name,
    access: accessOfScope(scope),
    audience,
    isDevice: true,
    now,
  });
  return { ...issued, deviceCode: issued.code + secret.slice(DEVICE.length) };
}

/** The token, or the error code of RFC 8628, section 3.5. */
export type DeviceResult = { token: string; access: Access; expiresAt: Date | null } | { token: null; error: string };

/**
 * Redeems a device code: the token once the user has approved, always one of the program's own. The same states,
 * counters and waiting as at /link/user. Throws 429 `rate_limited` to those who guess.
 */
export async function redeemDevice({
  requester,
  deviceCode,
  wait,
  now,
}: Pick<Poll, "requester" | "wait" | "now"> & { deviceCode: string }): Promise<DeviceResult> {
  const [, code, secret] = /^([A-Z]{6})([\w-]{43})$/.exec(deviceCode) ?? [];
  const result = code && (await respondToPoll({ requester, code, secret: DEVICE + secret, wait, now }, resultFor));
  if (!result) return { token: null, error: "invalid_grant" };
  const { linkId, token, status } = result;
  if (token === null) {
    const isTooFast = isUndecided(status) && !wait?.isHonoured && !(await polls.consume(linkId)).allowed;
    return { token, error: isTooFast ? "slow_down" : OAUTH_ERRORS[status] };
  }
  const issued = await db.accessToken.findUnique({ where: { id: linkId } });
  // Its user has removed it since: nothing is left to redeem.
  if (!issued) return { token: null, error: OAUTH_ERRORS.collected };
  const { access, expiresAt } = issued;
  return { token, access: storedAccess(access), expiresAt };
}

interface PolledDevice {
  linkId: string;
  token: string | null;
  status: LinkStatus;
}

async function resultFor(poll: CheckedPoll, now: Date): Promise<PollResponse<PolledDevice>> {
  const { link, user, poller } = poll;
  if (!link || poller.proof !== "right") return { response: null, isFinal: false };
  const collected = (await tokenFor(poll, now)).response;
  const status = statusOf(link, user !== undefined, now);
  const response = { linkId: link.id, token: collected?.token ?? null, status };
  return { response, isFinal: collected !== null || !isObtainable(status) };
}

export const WINDOW_SECONDS = 5 * POLL_INTERVAL_SECONDS;
/** As many as fit, and one more: their times vary. */
export const MAX_POLLS = WINDOW_SECONDS / POLL_INTERVAL_SECONDS + 1;
const polls = limiter("device polls", MAX_POLLS, WINDOW_SECONDS);

import { z } from "zod";
import { formEndpoint, oauthError } from "@/lib/api/form-endpoint";
import { DEVICE_GRANT, redeemDevice } from "@/lib/link/device-flow";
import { clientId } from "@/lib/link/program";
import { requesterOf } from "@/lib/link/requester";
import { MAX_WAIT_SECONDS } from "@/lib/link/wait";
import { appliedPreference, preferredWait } from "@/lib/platform/http/headers";
import { jsonResponse } from "@/lib/platform/http/response";

const SENTENCES: Record<string, string> = {
  authorization_pending: "The user hasn't decided yet.",
  slow_down: "Ask less often.",
  access_denied: "The user denied the code.",
  expired_token: "The code has expired. Start again.",
  invalid_grant: "This device code can't be redeemed.",
};

// Device access token request (RFC 8628, sections 3.4 and 3.5). The device code proves the program, so its client_id is
// not needed: some libraries put it into HTTP Basic, or leave it out.
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = formEndpoint({
  path: "/oauth/token",
  tooMany: "slow_down",
  parameters: z.object({
    grant_type: z.string(),
    device_code: z.string().optional(),
    client_id: clientId.optional(),
  }),
  async respond({ parameters, network, headers, origin, signal }) {
    const { grant_type: grantType, device_code: deviceCode } = parameters;
    if (grantType !== DEVICE_GRANT)
      throw oauthError("unsupported_grant_type", `The only grant_type here is ${DEVICE_GRANT}.`);
    if (deviceCode === undefined) throw oauthError("invalid_request", "The parameter device_code is missing.");
    const wait = preferredWait(headers, MAX_WAIT_SECONDS, signal);
    const result = await redeemDevice({ requester: requesterOf(headers, network, origin), deviceCode, wait });
    if (result.token === null) throw oauthError(result.error, SENTENCES[result.error] ?? "", appliedPreference(wait));
    const { token, access, expiresAt } = result;
    const seconds = expiresAt && Math.max(1, Math.floor((expiresAt.getTime() - Date.now()) / 1_000));
    const body = { access_token: token, token_type: "Bearer", scope: access };
    return jsonResponse(seconds === null ? body : { ...body, expires_in: seconds }, appliedPreference(wait));
  },
});

import { z } from "zod";
import { formEndpoint } from "@/lib/api/form-endpoint";
import { startDevice } from "@/lib/link/device-flow";
import { clientId, programName, requestedAudience, scope } from "@/lib/link/program";
import { requesterOf } from "@/lib/link/requester";
import { jsonResponse } from "@/lib/platform/http/response";

// Device authorization request (RFC 8628, sections 3.1 and 3.2). Nobody registers: a client_id is a claim, like a name.
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = formEndpoint({
  path: "/oauth/device",
  parameters: z.object({
    client_id: clientId,
    client_name: programName.optional(),
    scope: scope.optional(),
    audience: requestedAudience.optional(),
  }),
  async respond({ parameters, network, headers, origin }) {
    const name = parameters.client_name ?? programName.safeParse(parameters.client_id).data;
    const requester = requesterOf(headers, network, origin);
    const options = { name, scope: parameters.scope, audience: parameters.audience };
    const { deviceCode, code, expiresIn, interval } = await startDevice(requester, options);
    return jsonResponse(
      {
        device_code: deviceCode,
        user_code: code,
        verification_uri: `${origin}/link`,
        verification_uri_complete: `${origin}/link?code=${code}`,
        expires_in: expiresIn,
        interval,
      },
      {},
    );
  },
});

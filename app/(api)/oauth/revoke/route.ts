import { z } from "zod";
import { refusalOfGuesser } from "@/lib/api/endpoint";
import { formEndpoint, oauthError } from "@/lib/api/form-endpoint";
import { clientId } from "@/lib/link/program";
import { jsonResponse } from "@/lib/platform/http/response";
import { endToken } from "@/lib/user-data/revoke-token";

// Token revocation (RFC 7009): a program ends its own token. One that does not work any more is no error.
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = formEndpoint({
  path: "/oauth/revoke",
  parameters: z.object({ token: z.string(), client_id: clientId.optional() }),
  async respond({ parameters: { token }, network }) {
    const outcome = await endToken(token);
    if (outcome === "the account's")
      throw oauthError("unsupported_token_type", "Only its user can replace the account's token.");
    const refusal = outcome === "unknown" ? await refusalOfGuesser(network) : null;
    if (refusal) throw refusal;
    return jsonResponse({}, {});
  },
});

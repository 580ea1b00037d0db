import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { CODE } from "@/lib/api/example-values";
import { createCode } from "@/lib/link/create";
import { SECRET_HEADER } from "@/lib/link/poll-secret";
import { programName, requestedAudience } from "@/lib/link/program";
import { requesterOf } from "@/lib/link/requester";
import { codeResponse, requestedAccess, requestedPermissions } from "@/lib/link/schema";
import { lesser } from "@/lib/platform/access";
import { jsonResponse } from "@/lib/platform/http/response";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/link/code",
  summary:
    "Creates a six-letter code for the program to show. The user enters it at the URL in the Link " +
    "header. The program then waits at /link/status, and collects the token at /link/user.",
  access: "change",
  caller: "nobody",
  parameters: z.object({
    name: programName.optional(),
    access: requestedAccess.optional(),
    permissions: requestedPermissions.optional(),
    audience: requestedAudience.optional(),
  }),
  response: codeResponse,
  example: { response: { code: CODE } },
  responseHeaders: {
    Link: 'The page where a person enters the code, as `<…/link?code=…>; rel="verification"`.',
    "Link-Expires-In": "Seconds until the code can no longer be approved.",
    "Link-Interval": "Seconds to wait between two polls.",
    [SECRET_HEADER]:
      "Send it back in a header of the same name with every request to /link/status and /link/user. Then only your " +
      "program can collect the token, from any network.",
  },
  errors: ["rate_limited"],
  async respond({ parameters: { name, access, permissions, audience }, network, headers, origin }) {
    const requester = requesterOf(headers, network, origin);
    const options = { name, access: lesser(access, permissions), audience };
    const { code, secret, expiresIn, interval } = await createCode(requester, options);
    const page = `<${origin}/link?code=${code}>; rel="verification"`;
    return jsonResponse(
      { code },
      { Link: page, "Link-Expires-In": String(expiresIn), "Link-Interval": String(interval), [SECRET_HEADER]: secret },
    );
  },
});

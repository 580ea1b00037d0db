import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { BOB, KEY } from "@/lib/api/example-values";
import { keyInPath } from "@/lib/keys/access";
import { revokeHolder } from "@/lib/keys/revoke";
import { confirmRevoked, keyId, revocation } from "@/lib/keys/schema";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/cancel/{id}",
  summary: "Removes the caller from the holders of a key, as /keys/revoke does with their own name.",
  access: "change",
  caller: "token",
  find: keyInPath,
  parameters: z.object({ id: keyId }),
  response: revocation,
  example: {
    parameters: { id: KEY },
    response: confirmRevoked(KEY, { user: BOB, revoked: true }),
  },
  errors: ["key_not_found", "creator_access"],
  change: ({ caller, subject: key }) => revokeHolder(caller, key, caller.username),
  respond: async ({ parameters, result }) => confirmRevoked(parameters.id, result),
});

import { z } from "zod";
import { username } from "@/lib/accounts/identity/user";
import { endpoint } from "@/lib/api/endpoint";
import { BOB, KEY } from "@/lib/api/example-values";
import { keyInPath } from "@/lib/keys/access";
import { revokeHolder } from "@/lib/keys/revoke";
import { confirmRevoked, keyId, revocation } from "@/lib/keys/schema";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/admin_remove/{id}",
  summary: "Removes a user from the holders of a key, as /keys/revoke does.",
  access: "change",
  caller: "token",
  find: keyInPath,
  parameters: z.object({ id: keyId, username }),
  aliases: { username: ["user"] },
  response: revocation,
  example: {
    parameters: { id: KEY, username: BOB },
    response: confirmRevoked(KEY, { user: BOB, revoked: true }),
  },
  errors: ["key_not_found", "user_not_found", "not_creator", "creator_access"],
  change: ({ caller, subject: key, parameters }) => revokeHolder(caller, key, parameters.username),
  respond: async ({ parameters, result }) => confirmRevoked(parameters.id, result),
});

import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { BOB, KEY } from "@/lib/http/example-values";
import { keyInPath } from "@/lib/keys/find";
import { revokeHolder } from "@/lib/keys/holders";
import { confirm, confirmation, keyId } from "@/lib/keys/schema";
import { username } from "@/lib/usernames";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/revoke/{id}",
  summary: "Removes a user from the holders of a key. A holder may also remove themselves.",
  access: "change",
  caller: "token",
  find: keyInPath,
  parameters: z.object({ id: keyId, user: username }),
  aliases: { user: ["username"] },
  response: confirmation.extend({ key: z.string(), user: z.string(), revoked: z.boolean() }),
  example: {
    parameters: { id: KEY, user: BOB },
    answer: { ...confirm(`${BOB} no longer holds the key`), key: KEY, user: BOB, revoked: true },
  },
  errors: ["key_not_found", "user_not_found", "not_creator", "creator_access"],
  answer: async ({ caller, found: key, parameters }) => {
    const { user, revoked } = await revokeHolder(caller, key, parameters.user);
    return {
      ...confirm(revoked ? `${user} no longer holds the key` : `${user} did not hold the key`),
      key: key.id,
      user,
      revoked,
    };
  },
});

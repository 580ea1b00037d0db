import { z } from "zod";
import { username } from "@/lib/accounts/identity/user";
import { endpoint } from "@/lib/api/endpoint";
import { BOB, KEY } from "@/lib/api/example-values";
import { keyInPath, unixSeconds } from "@/lib/keys/access";
import { addHolder, requireSameId } from "@/lib/keys/grant";
import { confirm, confirmation, keyId } from "@/lib/keys/schema";
import { requestedEnd, requireFuture } from "@/lib/keys/until";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/admin_add/{id}",
  summary: "Adds a user to the holders of a key.",
  access: "change",
  caller: "token",
  find: keyInPath,
  parameters: z
    .object({ id: keyId, key: keyId.describe("The same id again."), username, until: requestedEnd.optional() })
    .superRefine(({ id, key }) => requireSameId(id, key)),
  aliases: { username: ["user"] },
  response: confirmation.extend({
    key: z.string(),
    user: z.string(),
    added: z.boolean(),
    changed: z
      .boolean()
      .optional()
      .describe("Whether the end date of existing access changed. Only where until was sent."),
    until: z.number().int().optional().describe("The end date that was sent, in Unix seconds."),
  }),
  example: {
    parameters: { id: KEY, key: KEY, username: BOB },
    response: { ...confirm(`${BOB} now holds the key`), key: KEY, user: BOB, added: true },
  },
  errors: ["key_mismatch", "key_not_found", "user_not_found", "not_creator", "holder_limit"],
  check: ({ until: end }) => requireFuture(end, new Date()),
  change: ({ caller, subject: key, parameters: { username, until: end } }) => addHolder(caller, key, { username, end }),
  respond: async ({ parameters: { id, until: end }, result: { user, added, changed } }) => {
    const sentence = changed ? `The end of ${user}'s access was changed` : `${user} held the key already`;
    return {
      ...confirm(added ? `${user} now holds the key` : sentence),
      key: id,
      user,
      added,
      ...(end !== undefined && { changed }),
      ...(end instanceof Date && { until: unixSeconds(end) }),
    };
  },
});

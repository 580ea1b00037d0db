import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { BOB, KEY } from "@/lib/http/example-values";
import { keyInPath } from "@/lib/keys/find";
import { addHolder, requireSameId } from "@/lib/keys/holders";
import { confirm, confirmation, keyId } from "@/lib/keys/schema";
import { username } from "@/lib/usernames";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/admin_add/{id}",
  summary: "Adds a user to the holders of a key.",
  access: "change",
  caller: "token",
  find: keyInPath,
  parameters: z
    .object({ id: keyId, key: keyId.describe("The same id again."), username })
    .superRefine(({ id, key }) => requireSameId(id, key)),
  aliases: { username: ["user"] },
  response: confirmation.extend({ key: z.string(), user: z.string(), added: z.boolean() }),
  example: {
    parameters: { id: KEY, key: KEY, username: BOB },
    answer: { ...confirm(`${BOB} now holds the key`), key: KEY, user: BOB, added: true },
  },
  errors: ["key_mismatch", "key_not_found", "user_not_found", "not_creator", "holder_limit"],
  answer: async ({ caller, found: key, parameters }) => {
    const { user, added } = await addHolder(caller, key, parameters.username);
    return {
      ...confirm(added ? `${user} now holds the key` : `${user} held the key already`),
      key: key.id,
      user,
      added,
    };
  },
});

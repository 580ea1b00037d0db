import { z } from "zod";
import { BOB, KEY } from "@/lib/http/cast";
import { endpoint } from "@/lib/http/endpoint";
import { findAs } from "@/lib/keys/find";
import { addHolder, mustRepeat } from "@/lib/keys/holders";
import { confirm, confirmation, keyId } from "@/lib/keys/schema";
import { username } from "@/lib/usernames";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/admin_add/{id}",
  summary: "Lets a user hold a key.",
  access: "change",
  caller: "tokenHash",
  parameters: z.object({ id: keyId, key: keyId.describe("The same id again."), username }).refine(({ id, key }) => mustRepeat(id, key)),
  aliases: { username: ["user"] },
  response: confirmation.extend({ key: z.string(), user: z.string(), added: z.boolean() }),
  example: {
    parameters: { id: KEY, key: KEY, username: BOB },
    answer: { ...confirm(`${BOB} now holds the key`), key: KEY, user: BOB, added: true },
  },
  errors: ["key_mismatch", "key_not_found", "user_not_found", "not_creator", "holder_limit"],
  answer: async ({ caller, parameters, isFor }) => {
    const { viewer, row } = await findAs(caller, parameters.id);
    isFor(viewer.id);
    const { user, added } = await addHolder(viewer, row, parameters.username);
    return { ...confirm(added ? `${user} now holds the key` : `${user} held the key already`), key: row.id, user, added };
  },
});

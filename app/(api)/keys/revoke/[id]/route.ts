import { z } from "zod";
import { BOB, KEY } from "@/lib/http/cast";
import { endpoint } from "@/lib/http/endpoint";
import { findAs } from "@/lib/keys/find";
import { revokeHolder } from "@/lib/keys/holders";
import { confirm, confirmation, keyId } from "@/lib/keys/schema";
import { username } from "@/lib/usernames";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/revoke/{id}",
  summary: "Takes a key from a user. A holder may give it back.",
  access: "change",
  caller: "tokenHash",
  parameters: z.object({ id: keyId, user: username }),
  aliases: { user: ["username"] },
  response: confirmation.extend({ key: z.string(), user: z.string(), revoked: z.boolean() }),
  example: { parameters: { id: KEY, user: BOB }, answer: { ...confirm(`${BOB} no longer holds the key`), key: KEY, user: BOB, revoked: true } },
  errors: ["key_not_found", "user_not_found", "not_creator", "creator_access"],
  answer: async ({ caller, parameters, isFor }) => {
    const { viewer, row } = await findAs(caller, parameters.id);
    isFor(viewer.id);
    const { user, revoked } = await revokeHolder(viewer, row, parameters.user);
    return { ...confirm(revoked ? `${user} no longer holds the key` : `${user} did not hold the key`), key: row.id, user, revoked };
  },
});

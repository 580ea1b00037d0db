import { z } from "zod";
import { username } from "@/lib/accounts/user";
import { endpoint } from "@/lib/api/endpoint";
import { ALICE, KEY } from "@/lib/api/example-values";
import { holdingOf, unixSeconds } from "@/lib/keys/access";
import { keyId } from "@/lib/keys/schema";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/check/{username}",
  summary: "Says whether a user holds a key. Needs no token.",
  access: "read",
  caller: "nobody",
  parameters: z.object({ username, key: keyId }),
  response: z.object({
    owned: z.boolean(),
    owns: z.boolean(),
    username: z.string(),
    key: z.string(),
    until: z.number().int().optional().describe("When the access ends, in Unix seconds, if it does."),
  }),
  example: {
    parameters: { username: ALICE, key: KEY },
    response: { owned: true, owns: true, username: ALICE, key: KEY },
  },
  respond: async ({ parameters: { username, key } }) => {
    const held = await holdingOf(username, key);
    const owned = held !== null;
    return { owned, owns: owned, username, key, until: held?.until ? unixSeconds(held.until) : undefined };
  },
});

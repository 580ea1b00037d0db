import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { ALICE, KEY } from "@/lib/http/example-values";
import { holdsKey } from "@/lib/keys/check";
import { keyId } from "@/lib/keys/schema";
import { username } from "@/lib/usernames";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/check/{username}",
  summary: "Says whether a user holds a key. Needs no token.",
  access: "read",
  caller: "nobody",
  parameters: z.object({ username, key: keyId }),
  response: z.object({ owned: z.boolean(), owns: z.boolean(), username: z.string(), key: z.string() }),
  example: {
    parameters: { username: ALICE, key: KEY },
    answer: { owned: true, owns: true, username: ALICE, key: KEY },
  },
  answer: async ({ parameters: { username, key } }) => {
    const owned = await holdsKey(username, key);
    return { owned, owns: owned, username, key };
  },
});

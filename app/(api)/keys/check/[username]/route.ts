import { z } from "zod";
import { username } from "@/lib/accounts/identity/user";
import { signedText } from "@/lib/accounts/identity/validators";
import { endpoint } from "@/lib/api/endpoint";
import { ALICE, KEY } from "@/lib/api/example-values";
import { unixSeconds } from "@/lib/keys/access";
import { holdingOf, proofOf } from "@/lib/keys/check";
import { keyId } from "@/lib/keys/schema";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/check/{username}",
  summary: "Says whether a user holds a key. Needs no token.",
  access: "read",
  caller: "nobody",
  parameters: z.object({
    username,
    key: keyId,
    sign: signedText.optional().describe("A text that comes back in a proof, such as a random number."),
  }),
  response: z.object({
    owned: z.boolean(),
    owns: z.boolean(),
    username: z.string(),
    key: z.string(),
    until: z.number().int().optional().describe("When the access ends, in Unix seconds, if it does."),
    proof: z.string().optional().describe("The same, signed: a JWT (EdDSA). Only where sign was sent."),
  }),
  example: {
    parameters: { username: ALICE, key: KEY },
    response: { owned: true, owns: true, username: ALICE, key: KEY },
  },
  respond: async ({ parameters: { username, key, sign }, origin }) => {
    const held = await holdingOf(username, key);
    const owned = held !== null;
    const body = { owned, owns: owned, username, key, until: held?.until ? unixSeconds(held.until) : undefined };
    if (sign === undefined) return body;
    return { ...body, proof: await proofOf(held, { username, key, nonce: sign, issuer: origin }) };
  },
});

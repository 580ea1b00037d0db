import { z } from "zod";
import { publicKeySet } from "@/lib/accounts/identity/validators";
import { endpoint } from "@/lib/api/endpoint";
import { PUBLIC } from "@/lib/api/example-values";

const HEADERS = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "public, max-age=3600" };

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/.well-known/jwks.json",
  summary: "Returns the public keys that verify validators and proofs (RFC 7517), the one in use first.",
  access: "read",
  caller: "nobody",
  parameters: z.object({}),
  response: z.object({
    keys: z.array(
      z.object({
        kty: z.literal("OKP"),
        crv: z.literal("Ed25519"),
        x: z.string(),
        kid: z.string(),
        alg: z.literal("EdDSA"),
        use: z.literal("sig"),
      }),
    ),
  }),
  responseHeaders: { "Cache-Control": "One hour: a key that is not in it was created since." },
  example: { response: { keys: [{ crv: "Ed25519", kty: "OKP", x: PUBLIC, kid: PUBLIC, alg: "EdDSA", use: "sig" }] } },
  respond: async () => new Response(JSON.stringify(await publicKeySet()), { headers: HEADERS }),
});

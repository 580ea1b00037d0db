import { z } from "zod";
import { createValidator, signedText } from "@/lib/accounts/identity/validators";
import { endpoint } from "@/lib/api/endpoint";
import { SIGNED, TIME } from "@/lib/api/example-values";
import { VALIDATOR_SECONDS } from "@/lib/platform/bounds";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/generate_validator",
  summary: "Returns a signed text with which the caller shows one server who they are, without giving it the token.",
  access: "read",
  caller: "token",
  needs: "identity",
  parameters: z.object({
    key: signedText.describe(
      "The server that it is for: a text that this server compares, such as its host. With a program's own token, " +
        "one that its user approved: the audience that the program asked for or, without one, its own site or name.",
    ),
  }),
  response: z.object({
    validator: z.string().describe("A JWT (EdDSA), which /validate or any library with /.well-known/jwks.json checks."),
    expires_at: z.int().describe(`In Unix seconds: ${VALIDATOR_SECONDS / 60} minutes from now.`),
  }),
  example: {
    parameters: { key: "play.example.org" },
    response: { validator: SIGNED, expires_at: Date.parse(TIME) / 1_000 + VALIDATOR_SECONDS },
  },
  errors: ["audience_not_approved"],
  respond: ({ caller, parameters: { key }, origin }) => createValidator(caller, { audience: key, issuer: origin }),
});

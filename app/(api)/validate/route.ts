import { z } from "zod";
import { checkValidator, signedText, validatorText } from "@/lib/accounts/identity/validators";
import { endpoint } from "@/lib/api/endpoint";
import { SIGNED } from "@/lib/api/example-values";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/validate",
  summary: "Says who a validator is from, if it is valid and for this audience. Needs no token.",
  access: "read",
  caller: "nobody",
  parameters: z.object({
    v: validatorText,
    key: signedText.describe("The audience: the same text that the validator was requested with."),
  }),
  response: z.union([
    z.object({
      valid: z.literal(true),
      id: z.string().describe("The user's id, which never changes."),
      username: z.string().describe("The user's name now."),
      azp: z.string().optional().describe("The program that made it, if it did so with a token of its own."),
    }),
    z.object({ valid: z.literal(false), error: z.string().describe("Why not.") }),
  ]),
  example: {
    parameters: { v: SIGNED, key: "play.example.org" },
    response: { valid: false, error: "This is not a validator of this service." },
  },
  respond: ({ parameters: { v, key } }) => checkValidator(v, key),
});

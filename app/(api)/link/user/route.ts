import { z } from "zod";
import { ApiError } from "@/lib/errors";
import { CODE, TOKEN } from "@/lib/http/cast";
import { endpoint } from "@/lib/http/endpoint";
import { askerOf } from "@/lib/link/asker";
import { collectToken } from "@/lib/link/poll";
import { SECRET_HEADER } from "@/lib/link/poll-secret";
import { linkedAnswer, NOT_LINKED } from "@/lib/link/schema";

/** One for all of them: nearly every poll ends with it. */
const notLinked = new ApiError(404, "not_linked", "This code is not linked.");

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/link/user",
  summary: "The token of the user who approved the code, once. Until then, and for any other code, 404 with linked false.",
  access: "change",
  caller: "nobody",
  parameters: z.object({ code: z.string().describe("The six letters, in any case.") }),
  response: linkedAnswer,
  example: { parameters: { code: CODE }, answer: { linked: true, token: TOKEN } },
  errors: ["rate_limited"],
  // Every refusal of a code looks the same, a malformed one too, so that a guesser learns nothing.
  refusal: ({ status }) => ({ status: status === 429 || status >= 500 ? status : 404, body: NOT_LINKED }),
  async answer({ parameters, network, headers, origin }) {
    const collected = await collectToken(parameters.code, askerOf(headers, network, origin), headers.get(SECRET_HEADER));
    if (!collected) throw notLinked;
    return { linked: true, token: collected.token };
  },
});

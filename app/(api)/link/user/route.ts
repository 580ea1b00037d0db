import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { CODE, TOKEN } from "@/lib/api/example-values";
import { collectToken } from "@/lib/link/collect";
import { SECRET_HEADER } from "@/lib/link/poll-secret";
import { requesterOf } from "@/lib/link/requester";
import { linkedResponse, NOT_LINKED } from "@/lib/link/schema";
import { MAX_WAIT_SECONDS } from "@/lib/link/wait";
import { durationInWords } from "@/lib/platform/bounds";
import { ApiError } from "@/lib/platform/errors";
import { appliedPreference, preferredWait } from "@/lib/platform/http/headers";
import { jsonResponse } from "@/lib/platform/http/response";

const notLinked = (headers: Record<string, string>) =>
  new ApiError(404, "not_linked", "This code is not linked.", { headers });
/** Shared: nearly every poll ends with it, and its stack would be a large part of the poll's time. */
const NOT_LINKED_NOW = notLinked({});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/link/user",
  summary:
    "Returns the token of the user who approved the code, once. Before that, and for any other code, it " +
    "returns 404 with linked false. With the header Prefer: wait=25, the response comes as soon as there is a token, " +
    `or it is certain that there will be none, or after ${durationInWords(MAX_WAIT_SECONDS)}.`,
  access: "change",
  caller: "nobody",
  parameters: z.object({ code: z.string().describe("The six letters, in any case.") }),
  requestHeaders: {
    [SECRET_HEADER]:
      "The value of the same header of /link/code. With it, only your program can collect the token, from any network.",
    Prefer: "wait=N, to wait for the token for up to N seconds, 25 at most.",
  },
  response: linkedResponse,
  example: { parameters: { code: CODE }, response: { linked: true, token: TOKEN } },
  responseHeaders: {
    "Preference-Applied": "wait=N, if Prefer: wait=N was honoured. Otherwise, ask again after Link-Interval seconds.",
  },
  errors: ["rate_limited"],
  // Every refusal of a code looks the same, including a malformed one, so that a guesser learns nothing.
  refusal: ({ status }) => ({ status: status === 429 || status >= 500 ? status : 404, body: NOT_LINKED }),
  refusedWhen:
    "Not linked yet, denied, expired, already collected, or not a code. Until the code expires, it isn't a " +
    "failure: ask again after Link-Interval seconds.",
  async respond({ parameters, network, headers, origin, signal }) {
    const wait = preferredWait(headers, MAX_WAIT_SECONDS, signal);
    const collected = await collectToken(requesterOf(headers, network, origin), parameters.code, {
      secret: headers.get(SECRET_HEADER),
      wait,
    });
    if (!collected) throw wait?.isHonoured ? notLinked(appliedPreference(wait)) : NOT_LINKED_NOW;
    return jsonResponse({ linked: true, token: collected.token }, appliedPreference(wait));
  },
});

import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { CODE } from "@/lib/api/example-values";
import { SECRET_HEADER } from "@/lib/link/poll-secret";
import { requesterOf } from "@/lib/link/requester";
import { linkedStatus, otherStatus, UNKNOWN_STATUS } from "@/lib/link/schema";
import { isTokenWaiting } from "@/lib/link/states";
import { readStatus } from "@/lib/link/status";
import { MAX_WAIT_SECONDS } from "@/lib/link/wait";
import { durationInWords } from "@/lib/platform/bounds";
import { ApiError } from "@/lib/platform/errors";
import { appliedPreference, preferredWait } from "@/lib/platform/http/headers";
import { jsonResponse } from "@/lib/platform/http/response";

const unknownStatus = (headers: Record<string, string>) =>
  new ApiError(404, "unknown_status", "This code is not known here.", { headers });

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/link/status",
  summary:
    "Returns 200 with status linked once the code is approved, until its token is collected. Until then, and " +
    "afterwards, 404 with status pending, denied, expired or collected, for the program that requested the code; for " +
    `anyone else, and any other code, 404 with status unknown. With the header Prefer: wait=${MAX_WAIT_SECONDS}, the ` +
    `response comes as soon as the code is no longer pending, or after ${durationInWords(MAX_WAIT_SECONDS)}.`,
  access: "read",
  isGuessable: true,
  caller: "nobody",
  parameters: z.object({ code: z.string().describe("The six letters, in any case.") }),
  requestHeaders: {
    [SECRET_HEADER]: "The value of the same header of /link/code. With it, your program is recognised on any network.",
    Prefer: "wait=N, to wait for up to N seconds, 25 at most, while the code is pending.",
  },
  response: linkedStatus,
  example: { parameters: { code: CODE }, response: { status: "linked" } },
  responseHeaders: {
    "Preference-Applied": "wait=N, if Prefer: wait=N was honoured. Otherwise, ask again after Link-Interval seconds.",
  },
  errors: ["rate_limited"],
  // The same for every code and every stranger, so that a guesser learns nothing.
  refusal: ({ status }) => ({ status: status === 429 || status >= 500 ? status : 404, body: UNKNOWN_STATUS }),
  refusedBody: otherStatus,
  refusedWhen:
    "Pending: ask again after Link-Interval seconds. Denied, expired or collected: start again. Unknown: not a code, " +
    "no such code, or not your program's.",
  async respond({ parameters, network, headers, origin, signal }) {
    const wait = preferredWait(headers, MAX_WAIT_SECONDS, signal);
    const status = await readStatus(requesterOf(headers, network, origin), parameters.code, {
      secret: headers.get(SECRET_HEADER),
      wait,
    });
    if (!status) throw unknownStatus(appliedPreference(wait));
    return isTokenWaiting(status)
      ? jsonResponse({ status: "linked" }, appliedPreference(wait))
      : jsonResponse({ status }, appliedPreference(wait), 404);
  },
});

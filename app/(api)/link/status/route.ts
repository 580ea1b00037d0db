import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { CODE } from "@/lib/api/example-values";
import { SECRET_HEADER } from "@/lib/link/code";
import { requesterOf } from "@/lib/link/limits";
import { statusResponse, UNKNOWN_STATUS } from "@/lib/link/schema";
import { TRANSITIONS } from "@/lib/link/states";
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
    "Returns the status of a code: pending, approved, denied, expired or collected. Only the program that requested " +
    "the code learns it; anyone else, and any other code, gets 404 with status unknown. With the header " +
    `Prefer: wait=${MAX_WAIT_SECONDS}, the response comes as soon as the code is no longer pending, or after ` +
    `${durationInWords(MAX_WAIT_SECONDS)}.`,
  access: "read",
  isGuessable: true,
  caller: "nobody",
  isForProgramsOnly: true,
  parameters: z.object({ code: z.string().describe("The six letters, in any case.") }),
  requestHeaders: {
    [SECRET_HEADER]: "The value of the same header of /link/code. With it, your program is recognised on any network.",
    Prefer: "wait=N, to wait for up to N seconds, 25 at most, while the code is pending.",
  },
  response: statusResponse,
  example: { parameters: { code: CODE }, response: { status: TRANSITIONS.approve.to } },
  responseHeaders: {
    "Preference-Applied": "wait=N, if Prefer: wait=N was honoured. Otherwise, ask again after Link-Interval seconds.",
  },
  errors: ["rate_limited"],
  // The same for every code and every stranger, so that a guesser learns nothing.
  refusal: ({ status }) => ({ status: status === 429 || status >= 500 ? status : 404, body: UNKNOWN_STATUS }),
  refusedWhen: "Not a code, no such code, or not your program's: it was issued to another network.",
  async respond({ parameters, network, headers, origin, signal }) {
    const wait = preferredWait(headers, MAX_WAIT_SECONDS, signal);
    const status = await readStatus(requesterOf(headers, network, origin), parameters.code, {
      secret: headers.get(SECRET_HEADER),
      wait,
    });
    if (!status) throw unknownStatus(appliedPreference(wait));
    return jsonResponse({ status }, appliedPreference(wait));
  },
});

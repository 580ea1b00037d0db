import { z } from "zod";
import { jsonAnswer } from "@/lib/http/answer";
import { CODE } from "@/lib/http/cast";
import { endpoint } from "@/lib/http/endpoint";
import { askForCode } from "@/lib/link/ask";
import { codeAnswer } from "@/lib/link/schema";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/link/code",
  summary: "A new six-letter code for the program to show. A person enters it at the address in the Link header; then the program asks /link/user.",
  access: "change",
  caller: "nobody",
  parameters: z.object({}),
  response: codeAnswer,
  example: { answer: { code: CODE } },
  answerHeaders: {
    Link: 'The page where a person enters the code, as `<…/link?code=…>; rel="verification"`.',
    "Link-Expires-In": "How many seconds the code can be approved.",
    "Link-Interval": "How many seconds to wait between two questions.",
  },
  errors: ["rate_limited"],
  async answer({ network, headers, origin }) {
    const { code, expiresIn, interval } = await askForCode({ network, userAgent: headers.get("user-agent") });
    return jsonAnswer(
      { code },
      { Link: `<${origin}/link?code=${code}>; rel="verification"`, "Link-Expires-In": String(expiresIn), "Link-Interval": String(interval) },
    );
  },
});

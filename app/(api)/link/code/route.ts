import { z } from "zod";
import { jsonAnswer } from "@/lib/http/answer";
import { CODE } from "@/lib/http/cast";
import { endpoint } from "@/lib/http/endpoint";
import { askForCode } from "@/lib/link/ask";
import { askerOf } from "@/lib/link/asker";
import { SECRET_HEADER } from "@/lib/link/poll-secret";
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
    [SECRET_HEADER]: "Send it back as a header of the same name with every /link/user: then only your program can collect the token, from any network.",
  },
  errors: ["rate_limited"],
  async answer({ network, headers, origin }) {
    const { code, secret, expiresIn, interval } = await askForCode(askerOf(headers, network, origin));
    const page = `<${origin}/link?code=${code}>; rel="verification"`;
    return jsonAnswer({ code }, { Link: page, "Link-Expires-In": String(expiresIn), "Link-Interval": String(interval), [SECRET_HEADER]: secret });
  },
});

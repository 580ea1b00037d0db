import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { keysOf } from "@/lib/keys/mine";
import { keyRecord, pageSize } from "@/lib/keys/schema";
import { jsonArray } from "@/lib/platform/http/response";
import { aliceKey } from "../example";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/mine",
  summary: "Lists every key that the caller holds, oldest first.",
  access: "read",
  caller: "token",
  needs: "read",
  parameters: z.object({
    limit: pageSize.optional(),
    after: z.string().optional().describe("Where the page begins, from the Link header of the previous page."),
  }),
  response: z.array(keyRecord),
  example: { parameters: { limit: "100" }, response: [aliceKey] },
  responseHeaders: {
    Link: 'If more keys follow, the address of the next page, as `<…>; rel="next"`, without the token.',
  },
  respond: async ({ caller, parameters: { limit, after }, origin }) => {
    const { pages, next } = await keysOf(caller, { limit, after });
    return jsonArray(pages, next && `<${origin}/keys/mine?limit=${limit}&after=${next}>; rel="next"`);
  },
});

import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { invalidToken, missingToken } from "@/lib/accounts/errors";
import { endpoint } from "@/lib/api/endpoint";
import { measureStored } from "@/lib/operator/statistics";
import { env } from "@/lib/platform/env";
import { notFound } from "@/lib/platform/errors";
import { metricsText } from "@/lib/platform/metrics";

const digest = (text: string) => createHash("sha256").update(text).digest();

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/metrics",
  summary:
    "Returns the metrics in Prometheus text format. Requires METRICS_TOKEN to be set, and sent as a bearer token.",
  access: "read",
  caller: "nobody",
  operatorToken: "METRICS_TOKEN",
  parameters: z.object({}),
  response: z.string(),
  mediaType: "text/plain; version=0.0.4",
  example: {},
  errors: ["not_found", "missing_token", "invalid_token"],
  async respond({ headers }) {
    if (!env.METRICS_TOKEN) throw notFound();
    const token = /^Bearer (.*)$/i.exec(headers.get("authorization") ?? "")?.[1];
    if (token === undefined) throw missingToken();
    if (!timingSafeEqual(digest(token.trim()), digest(env.METRICS_TOKEN))) throw invalidToken();
    measureStored();
    return new Response(await metricsText(), {
      headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store" },
    });
  },
});

import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { invalidToken } from "@/lib/accounts/errors";
import { refusalOf } from "@/lib/api/refusal";
import { sweepAll } from "@/lib/operator/sweep";
import { env } from "@/lib/platform/env";
import { notFound } from "@/lib/platform/errors";
import { errorResponse, jsonResponse } from "@/lib/platform/http/response";
import { log } from "@/lib/platform/log";

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * The sweep that a running service does every five minutes, for platforms that run nothing between requests: their
 * timer calls this.
 */
export async function GET(request: Request): Promise<Response> {
  const headers = { "X-Request-Id": request.headers.get("x-request-id") ?? randomUUID() };
  if (!env.CRON_SECRET) return errorResponse(notFound(), headers);
  const authorization = request.headers.get("authorization") ?? "";
  if (!timingSafeEqual(digest(authorization), digest(`Bearer ${env.CRON_SECRET}`)))
    return errorResponse(invalidToken(), headers);
  try {
    const swept = await sweepAll();
    log.info({ swept }, "swept");
    return jsonResponse(swept, headers);
  } catch (thrown) {
    return errorResponse(refusalOf(thrown, "sweeping failed", headers["X-Request-Id"]), headers);
  }
}

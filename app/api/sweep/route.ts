import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { sweepAll } from "@/lib/account/sweep";
import { env } from "@/lib/env";
import { invalidToken, notFound } from "@/lib/errors";
import { errorAnswer, jsonAnswer } from "@/lib/http/answer";
import { refusalOf } from "@/lib/http/refusal";
import { log } from "@/lib/log";

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * The sweep that a running service does every five minutes, for platforms that run nothing between requests: their
 * timer calls this.
 */
export async function GET(request: Request): Promise<Response> {
  const headers = { "X-Request-Id": request.headers.get("x-request-id") ?? randomUUID() };
  if (!env.CRON_SECRET) return errorAnswer(notFound(), headers);
  const sent = request.headers.get("authorization") ?? "";
  if (!timingSafeEqual(digest(sent), digest(`Bearer ${env.CRON_SECRET}`))) return errorAnswer(invalidToken(), headers);
  try {
    const swept = await sweepAll();
    log.info({ swept }, "swept");
    return jsonAnswer(swept, headers);
  } catch (thrown) {
    return errorAnswer(refusalOf(thrown, "sweeping failed", headers["X-Request-Id"]), headers);
  }
}

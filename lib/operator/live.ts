import cluster from "node:cluster";
import { hostname } from "node:os";
import { metricsText, watch } from "@/lib/metrics";
import type { LiveReading } from "./rates";

/** The service: its only process, or the one that started the others. */
const SOURCE = `${hostname()} ${cluster.isWorker ? process.ppid : process.pid}`;

const BUCKET = /^latchkey_request_seconds_bucket\{(.*)\} (\d+)$/gm;

/**
 * What the processes behind this port have answered since they began to measure, without the console's own requests.
 * Begins to measure, or has it go on for some minutes.
 */
export async function readLive(): Promise<LiveReading> {
  await watch();
  const text = await metricsText();
  const counts = new Map<number, number>();
  for (const [, labels = "", count] of text.matchAll(BUCKET)) {
    if (/\broute="\/admin\b/.test(labels)) continue;
    const [, limit = ""] = /\ble="([^"]+)"/.exec(labels) ?? [];
    const seconds = limit === "+Inf" ? Number.POSITIVE_INFINITY : Number(limit);
    counts.set(seconds, (counts.get(seconds) ?? 0) + Number(count));
  }
  const within = [...counts].map(([seconds, count]) => ({ seconds, count })).sort((a, b) => a.seconds - b.seconds);
  return { source: SOURCE, at: Date.now(), within };
}

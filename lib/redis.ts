import { env } from "./env";
import { log } from "./log";

const CONNECT_WITHIN_MS = 2_000;
const ASK_EVERY_MS = 1_000;
const SILENT_FOR_MS = 3_000;
const TRY_AGAIN_WITHIN_MS = 2_000;

async function clientOf(url: string) {
  // Imported here, because most deployments have no Redis, and the package takes 15 MB.
  const { createClient } = await import("redis");
  return createClient({
    url,
    disableOfflineQueue: true,
    // An idle connection sends something every second, so one that is silent for three is known to be dead.
    pingInterval: ASK_EVERY_MS,
    socket: {
      connectTimeout: CONNECT_WITHIN_MS,
      socketTimeout: SILENT_FOR_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, TRY_AGAIN_WITHIN_MS),
    },
  });
}

type Redis = Awaited<ReturnType<typeof clientOf>>;

/** One connection per process, not per copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyRedis?: Promise<Redis> };

/**
 * The connection to the Redis at REDIS_URL, opened on first use; undefined if not set. Resolves after the first attempt
 * has succeeded or failed, within three seconds. After that it reconnects by itself. While Redis is unavailable, every
 * command fails immediately; losing and regaining it are logged once each.
 */
export async function openRedis(): Promise<Redis | undefined> {
  if (!env.REDIS_URL) return undefined;
  perProcess.latchkeyRedis ??= connect(env.REDIS_URL);
  return perProcess.latchkeyRedis;
}

/** Closes the connection at the end of the process: limits are then counted in its memory. */
export async function closeRedis(): Promise<void> {
  const opened = perProcess.latchkeyRedis;
  delete perProcess.latchkeyRedis;
  (await opened)?.destroy();
}

async function connect(url: string): Promise<Redis> {
  const client = await clientOf(url);
  return new Promise((resolve) => {
    let isAway = false;
    client.on("error", (error) => {
      if (!isAway)
        log.warn({ err: error }, "Redis is unavailable: limits are counted in this process's memory until it is back");
      isAway = true;
      resolve(client);
    });
    client.on("ready", () => {
      if (isAway) log.info("Redis is back: limits are counted there again");
      isAway = false;
      resolve(client);
    });
    // It retries until closed; each failure was reported as an event.
    client.connect().catch(() => {});
  });
}

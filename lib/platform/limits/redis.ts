import { env } from "../env";
import { log } from "../log";
import { perProcess } from "../process";

const CONNECT_WITHIN_MS = 2_000;
const PING_EVERY_MS = 1_000;
const SILENT_FOR_MS = 3_000;
const TRY_AGAIN_WITHIN_MS = 2_000;

async function clientOf(url: string, isLasting = true) {
  // Imported here, because most deployments have no Redis, and the package takes 15 MB.
  const { createClient } = await import("@redis/client");
  return createClient({
    url,
    disableOfflineQueue: true,
    // An idle connection sends something every second, so one that is silent for three is known to be dead.
    pingInterval: PING_EVERY_MS,
    socket: {
      connectTimeout: CONNECT_WITHIN_MS,
      socketTimeout: SILENT_FOR_MS,
      reconnectStrategy: isLasting && ((retries) => Math.min(50 * 2 ** retries, TRY_AGAIN_WITHIN_MS)),
    },
  });
}

type Redis = Awaited<ReturnType<typeof clientOf>>;

const opened = perProcess("redis", (): { client?: Promise<Redis> } => ({}));

/**
 * The connection to the Redis at REDIS_URL, opened on first use; undefined if not set. Resolves after the first attempt
 * has succeeded or failed, within three seconds. After that it reconnects by itself. While Redis is unavailable, every
 * command fails immediately; losing and regaining it are logged once each.
 */
export async function openRedis(): Promise<Redis | undefined> {
  if (!env.REDIS_URL) return undefined;
  opened.client ??= connect(env.REDIS_URL);
  return opened.client;
}

/** Why the Redis at REDIS_URL does not respond, as a code; undefined if it does, or is not set. */
export async function redisProblem(): Promise<string | undefined> {
  if (!env.REDIS_URL) return undefined;
  const client = await clientOf(env.REDIS_URL, false);
  try {
    await client.on("error", () => {}).connect();
    await client.ping();
    return undefined;
  } catch (error) {
    // Redis begins its refusals with a word in capitals.
    const { code, message } = error as NodeJS.ErrnoException;
    return code ?? /^[A-Z]+\b/.exec(message)?.[0] ?? "it does not respond";
  } finally {
    if (client.isOpen) client.destroy();
  }
}

/** Closes the connection at the end of the process: limits are then counted in its memory. */
export async function closeRedis(): Promise<void> {
  const { client } = opened;
  delete opened.client;
  (await client)?.destroy();
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

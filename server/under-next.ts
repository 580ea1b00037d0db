import { endWaits } from "@/lib/link/wait";
import { checkConfiguration } from "@/lib/platform/crypto/secrets";
import { isUnavailable } from "@/lib/platform/db/errors";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { isBehindServer } from "@/lib/platform/network/network";
import { setEngineFlags } from "@/lib/platform/process";
import { noteUnavailable } from "@/lib/platform/request";
import { prepareDatabase, setActionsKey } from "./prepare";
import { startSweeps } from "./sweeps";

/**
 * The start-up work of `server.ts`, if Next runs without it: `npm run dev`, `next start` and Vercel, which migrates
 * when it builds.
 */
export async function prepareUnderNext(): Promise<void> {
  if (isBehindServer()) return;
  setEngineFlags();
  checkConfiguration();
  setActionsKey();
  if (env.VERCEL) return;
  await prepareDatabase();
  startSweeps();
  // Next lets running requests finish when it is to stop.
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, endWaits);
  log.warn("limits per network are off: only npm start knows where a request comes from");
}

/** Tells the lane why the current page failed. Next has logged it. */
export function noteFailure(error: unknown): void {
  if (isUnavailable(error)) noteUnavailable();
}

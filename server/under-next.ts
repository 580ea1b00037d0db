import { checkConfiguration } from "@/lib/configuration";
import { env } from "@/lib/env";
import { forbidPretenuring } from "@/lib/garbage-collector";
import { log } from "@/lib/log";
import { isBehindServer } from "@/lib/network";
import { keepActionsKey } from "./actions-key";
import { prepareDatabase } from "./prepare";
import { startSweeps } from "./sweeps";

/** What `server.ts` does at its start, where Next runs without it: `npm run dev`, `next start` and Vercel, which migrates when it builds. */
export async function prepareUnderNext(): Promise<void> {
  if (isBehindServer()) return;
  forbidPretenuring();
  checkConfiguration();
  keepActionsKey();
  if (env.VERCEL) return;
  await prepareDatabase();
  startSweeps();
  log.warn("limits per network are off: only npm start knows where a request comes from");
}

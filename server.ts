// The self-hosted process: `npm start` builds this file and runs it. Under `next dev`, `next start` and on Vercel it is
// not used.
import cluster from "node:cluster";
import { hasAdministrator } from "./lib/operator/access";
import { isBlockedPort } from "./lib/platform/addresses";
import { checkConfiguration } from "./lib/platform/crypto/secrets";
import { env } from "./lib/platform/env";
import { localAddress } from "./lib/platform/network/host";
import { setEngineFlags } from "./lib/platform/process";
import manifest from "./package.json";
import { serveAsWorker, superviseWorkers } from "./server/cluster";
import { consoleToLog } from "./server/log";
import { prepareDatabase } from "./server/prepare";
import { serve } from "./server/serve";
import { ignoreUserSignals } from "./server/stop";
import { startSweeps } from "./server/sweeps";

async function start(): Promise<number> {
  checkConfiguration();
  const port = env.WEB_CONCURRENCY > 1 ? await superviseWorkers(import.meta.filename) : await serve(prepareDatabase);
  startSweeps();
  return port;
}

/** For people, on standard error: standard output is the log. */
async function announce(port: number): Promise<void> {
  const address = env.NEXTAUTH_URL ?? localAddress(port);
  say(`Latchkey ${manifest.version} is running at ${address}${env.NEXTAUTH_URL ? `, listening on port ${port}` : ""}`);
  if (!env.NEXTAUTH_URL && isBlockedPort(port))
    say(`  Browsers refuse to open port ${port}: set PORT to another one, unless a proxy is in front.`);
  say(`  Sign up:         ${address}/signup`);
  say(`  Link a program:  ${address}/link`);
  // If the database has just become unavailable, the log says so.
  if (!(await hasAdministrator().catch(() => true)))
    say("  The console needs an administrator: ./latchkey user:role <name> admin");
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

setEngineFlags();
ignoreUserSignals();
consoleToLog();
try {
  if (cluster.isWorker) await serveAsWorker();
  else await announce(await start());
} catch (error) {
  say((error as Error).message);
  process.exit(1);
}

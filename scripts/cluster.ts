// npm run cluster [-- <folder>]
// Starts on this machine what docs/operations.md has for several: three PostgreSQL under Patroni, etcd, HAProxy,
// PgBouncer, two Latchkey and a load balancer. Everything ends with Ctrl+C. Without a folder, a temporary one is used.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isPatroniSafe, patroniVersion, SAFE_PATRONI } from "./cluster/patroni";
import { type Cluster, type Member, startCluster } from "./cluster/start";
import { CLUSTER_PACKAGES } from "./install";

const say = (line: string) => console.error(line);

const ROLES: Record<string, string> = { leader: "primary", sync_standby: "synchronous standby", replica: "standby" };

const inWords = ({ name, role, state }: Member) => `${name} is ${ROLES[role] ?? role} (${state})`;

try {
  if (process.platform !== "linux") throw new Error("This needs Linux. Elsewhere, run it in a virtual machine.");
  const missing = Object.keys(CLUSTER_PACKAGES).filter((name) => !CLUSTER_PACKAGES[name]?.());
  if (missing.length > 0) throw new Error(`Install these packages first: apt-get install ${missing.join(" ")}`);
  if (!isPatroniSafe())
    say(`Patroni ${patroniVersion()} may lose changes when a frozen primary wakes. Use ${SAFE_PATRONI} or later.`);
  const [given] = process.argv.slice(2);
  const folder = given ? emptyFolder(resolve(given)) : mkdtempSync(join(tmpdir(), "latchkey-cluster-"));
  say("Building, if the sources have changed.");
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: ["ignore", "ignore", 2] });
  const cluster = await startCluster(folder, say);
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => ending.abort());
  explain(cluster, folder);
  await tellChanges(cluster, ending.signal);
  say("\nEnding everything.");
  await cluster.stop();
  if (!given) rmSync(folder, { recursive: true });
  process.exit(0);
} catch (error) {
  say((error as Error).message);
  process.exit(1);
}

function emptyFolder(folder: string): string {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty. Name another one.`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function explain(cluster: Cluster, folder: string): void {
  say(`
Latchkey is at ${cluster.url}

To use the admin command:
  DATABASE_URL='${cluster.storage.DATABASE_URL}' AUTH_SECRET='${cluster.storage.AUTH_SECRET}' \\
    NEXTAUTH_URL=${cluster.url} npm run --silent admin -- user:create alice

To break it, kill all programs of a machine at once; half a minute later they are started again, as if it had been
switched off and on. Or stop them with kill -STOP, and let them continue with kill -CONT.

Each program has a log in ${folder}/log. Press Ctrl+C to end everything.
`);
}

/** Says who is the primary, and how to kill it, whenever that changes, until `signal`. */
async function tellChanges(cluster: Cluster, signal: AbortSignal): Promise<void> {
  for (let last = ""; !signal.aborted; ) {
    const members = await cluster.members();
    const now = members.map(inWords).sort().join(", ") || "No machine of the database responds";
    if (now !== last) {
      say(`${new Date().toISOString().slice(11, 19)} ${now}.`);
      const primary = members.find(({ role }) => role === "leader");
      if (primary) say(`  To kill the primary: kill -9 ${cluster.pids(primary.name).join(" ")}`);
    }
    last = now;
    // Ctrl+C ends the pause, and then the loop.
    await sleep(1_000, undefined, { signal }).catch(() => {});
  }
}

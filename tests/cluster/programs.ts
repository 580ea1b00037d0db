import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasEnded, unprivilegedUser } from "@/scripts/scratch-server";

/** How long a machine takes to start again. */
const RESTART_MS = 30_000;
/** How long a program has to end by itself. */
const PATIENCE_MS = 15_000;

export interface Launch {
  name: string;
  program: string;
  parameters?: string[];
  environment?: Record<string, string>;
  /** Where it runs, if not in the cluster's folder. */
  folder?: string;
  /** Latchkey and HAProxy may be root. PostgreSQL, Patroni and PgBouncer refuse to. */
  isRoot?: true;
}

export type Supervised = ReturnType<typeof supervise>;

/**
 * Starts a program in `folder`, with its output in `folder/log`, and again half a minute after it ends, as on a machine
 * that starts again. It ends with this process, however this one ends: the
 * kernel sees to that (setpriv --pdeathsig).
 */
export function supervise(folder: string, how: Launch) {
  const log = openSync(join(folder, "log", `${how.name}.log`), "a");
  const user = how.isRoot ? undefined : unprivilegedUser();
  const asWhom = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"] : [];
  let child: ChildProcess;
  let isStopping = false;
  const start = () => {
    child = spawn("setpriv", [...asWhom, "--pdeathsig=TERM", "--", how.program, ...(how.parameters ?? [])], {
      cwd: how.folder ?? folder,
      env: { PATH: `${process.env.PATH}:/usr/sbin`, NODE_ENV: "production", ...how.environment },
      stdio: ["ignore", log, log],
      // Ctrl+C reaches this process alone, which then ends them in order.
      detached: true,
    });
    child.once("exit", () => setTimeout(() => isStopping || start(), RESTART_MS).unref());
  };
  start();
  /** The ids of its process and of all that it started. */
  const pids = () => (hasEnded(child) ? [] : descendants(child.pid ?? 0));
  return {
    pids,
    /** Ends it for good: politely first, then by force. */
    async stop(): Promise<void> {
      isStopping = true;
      if (hasEnded(child)) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      signalAll(pids(), "SIGCONT");
      child.kill("SIGTERM");
      await Promise.race([ended, sleep(PATIENCE_MS, undefined, { ref: false })]);
      signalAll(pids(), "SIGKILL");
      await ended;
    },
  };
}

/** The process of this id and all that descend from it, parents first. */
export function descendants(pid: number): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const all = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) for (const [child, itsParent] of all) if (itsParent === parent) found.push(child ?? 0);
  return found;
}

/** Sends a signal to processes; those that have ended meanwhile are passed over. */
export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

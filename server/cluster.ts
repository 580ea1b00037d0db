import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { closeDatabase } from "@/lib/db/client";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { aggregator, measureTogether } from "@/lib/metrics";
import { prepareDatabase } from "./prepare";
import { serve } from "./serve";
import { onSignal } from "./signals";

/** What the processes tell one another. */
type Message = "may I answer?" | "answer" | "measure" | { measured: string } | { listening: number } | { refused: string };

/** Between the end of a worker and the start of the next, so that one that cannot live does not take the machine. */
const PAUSE_MS = 1_000;

/** What our own workers are started with. */
const WORKER = "worker";

/**
 * Runs WEB_CONCURRENCY workers behind one port. This process migrates, once; it replaces workers that die, and ends them all
 * on SIGTERM or SIGINT, cleanly, or at once on one that comes a second later. Resolves with the port when all answer; throws an Error whose
 * message is a sentence where the first of them cannot listen.
 */
export async function superviseWorkers(program: string): Promise<number> {
  cluster.setupPrimary({ exec: program, args: [WORKER] });
  const prepared = prepareDatabase();
  const measure = aggregator();
  const listening = new Map<number, number>();
  let stopping = false;

  const first = new Promise<number>((resolve, reject) => {
    cluster.on("message", (worker, message: Message) => {
      if (message === "may I answer?") void prepared.then(() => worker.isConnected() && worker.send("answer" satisfies Message)).catch(() => {});
      else if (message === "measure")
        void measure()
          .then((measured) => worker.isConnected() && worker.send({ measured } satisfies Message))
          .catch(() => {});
      else if (typeof message === "object" && "refused" in message) reject(new Error(message.refused));
      else if (typeof message === "object" && "listening" in message) {
        listening.set(worker.id, message.listening);
        if (listening.size === env.WEB_CONCURRENCY) resolve(message.listening);
        if (listening.size > env.WEB_CONCURRENCY) log.info({ pid: worker.process.pid }, "a worker took the place of one that ended");
      }
    });
  });
  cluster.on("exit", async (worker, code, signal) => {
    if (stopping) return;
    log.error({ pid: worker.process.pid, code, signal }, "a worker ended; another takes its place");
    await sleep(PAUSE_MS);
    if (!stopping) cluster.fork();
  });

  const stop = (signal: NodeJS.Signals) => {
    stopping = true;
    log.info({ signal }, "stopping all workers");
    void Promise.all(workers().map(ended))
      .then(closeDatabase)
      .finally(() => process.exit(0));
  };
  onSignal(["SIGTERM", "SIGINT"], stop, () => {
    for (const worker of workers()) worker.process.kill("SIGKILL");
    process.exit(1);
  });
  for (let count = 0; count < env.WEB_CONCURRENCY; count++) cluster.fork();
  const [port] = await Promise.all([first, prepared]);
  return port;
}

const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

/** Asks a worker to end, and waits until it has. */
function ended(worker: Worker): Promise<unknown> {
  const gone = new Promise((resolve) => worker.once("exit", resolve));
  worker.process.kill("SIGTERM");
  return gone;
}

/**
 * What a worker does: everything but preparing the database and sweeping it. Throws an Error whose message is a sentence in a worker of another
 * program's, whose supervisor would never say when to answer.
 */
export async function serveAsWorker(): Promise<void> {
  if (process.argv[2] !== WORKER)
    throw new Error(
      "Another program, like pm2 in its cluster mode, has started this as one of its workers, which cannot work. Let it start one plain process (pm2: without -i), and set WEB_CONCURRENCY to the number of processes.",
    );
  // A terminal sends it to all processes at once; the first of them ends the others.
  process.on("SIGINT", () => {});
  const tell = (message: Message) => process.send?.(message);
  measureTogether(async () => {
    const answer = new Promise<string>((resolve) => {
      const listen = (message: Message) => {
        if (typeof message !== "object" || !("measured" in message)) return;
        process.off("message", listen);
        resolve(message.measured);
      };
      process.on("message", listen);
    });
    tell("measure");
    return answer;
  });
  try {
    const told = new Promise<void>((resolve) => process.on("message", (message: Message) => message === "answer" && resolve()));
    tell("may I answer?");
    const port = await serve(() => told);
    tell({ listening: port });
  } catch (error) {
    process.send?.({ refused: (error as Error).message } satisfies Message, () => process.exit(1));
  }
}

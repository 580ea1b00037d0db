import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { closeDatabase } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { aggregator, measureTogether, watchUntil } from "@/lib/platform/metrics";
import { outliveFaults } from "./log";
import { prepareDatabase } from "./prepare";
import { serve } from "./serve";
import { ENDING, onSignal } from "./stop";

/** The messages between the processes. */
type Message =
  | "may I respond?"
  | "respond"
  | "measure"
  | { measured: string }
  | { watchUntil: number }
  | { listening: number }
  | { refused: string };

/**
 * The pause between the end of a worker and the start of its replacement, so that one that keeps failing does not
 * overload the machine.
 */
const PAUSE_MS = 1_000;

/** The argument that our own workers are started with. */
const WORKER = "worker";

/**
 * Runs WEB_CONCURRENCY workers behind one port. This process migrates once, and replaces workers that die. On a signal
 * of `ENDING` it stops them all, gracefully, or immediately on a signal that comes a second later. Resolves with the
 * port when all respond. Throws an Error whose message is a sentence if the first one cannot listen.
 */
export async function superviseWorkers(program: string): Promise<number> {
  outliveFaults();
  cluster.setupPrimary({ exec: program, args: [WORKER] });
  const prepared = prepareDatabase();
  const measure = await aggregator();
  const listening = new Map<number, number>();
  let stopping = false;

  const first = new Promise<number>((resolve, reject) => {
    cluster.on("message", (worker, message: Message) => {
      if (message === "may I respond?")
        void prepared.then(() => worker.isConnected() && worker.send("respond" satisfies Message)).catch(() => {});
      else if (message === "measure")
        void measure()
          .catch(() => "")
          .then((measured) => worker.isConnected() && worker.send({ measured } satisfies Message));
      else if (typeof message === "object" && "watchUntil" in message)
        for (const other of workers().filter((one) => one.isConnected())) other.send(message);
      else if (typeof message === "object" && "refused" in message) reject(new Error(message.refused));
      else if (typeof message === "object" && "listening" in message) {
        listening.set(worker.id, message.listening);
        if (listening.size === env.WEB_CONCURRENCY) resolve(message.listening);
        if (listening.size > env.WEB_CONCURRENCY)
          log.info({ pid: worker.process.pid }, "a worker replaced one that ended");
      }
    });
  });
  cluster.on("exit", async (worker, code, signal) => {
    if (stopping) return;
    log.error({ pid: worker.process.pid, code, signal }, "a worker ended and will be replaced");
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
  onSignal(ENDING, stop, () => {
    for (const worker of workers()) worker.process.kill("SIGKILL");
    process.exit(1);
  });
  for (let count = 0; count < env.WEB_CONCURRENCY; count++) cluster.fork();
  const [port] = await Promise.all([first, prepared]);
  return port;
}

const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

/** Asks a worker to end, and waits for it. */
function ended(worker: Worker): Promise<unknown> {
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  worker.process.kill("SIGTERM");
  return exited;
}

/**
 * The work of a worker: everything except preparing the database and sweeping it. Throws an Error whose message is a
 * sentence in a worker of another program, whose supervisor would never send the start message.
 */
export async function serveAsWorker(): Promise<void> {
  if (process.argv[2] !== WORKER)
    throw new Error(
      "Another program, like pm2 in its cluster mode, has started this as one of its workers, which cannot " +
        "work. Let it start one plain process (pm2: without -i), and set WEB_CONCURRENCY to the number of " +
        "processes.",
    );
  // A terminal sends these to all processes at the same time; the primary process stops the others.
  for (const signal of ENDING) if (signal !== "SIGTERM") process.on(signal, () => {});
  const send = (message: Message) => process.send?.(message);
  process.on("message", (message: Message) => {
    if (typeof message === "object" && "watchUntil" in message) void watchUntil(message.watchUntil);
  });
  const text = () => {
    const response = new Promise<string>((resolve) => {
      const listen = (message: Message) => {
        if (typeof message !== "object" || !("measured" in message)) return;
        process.off("message", listen);
        resolve(message.measured);
      };
      process.on("message", listen);
    });
    send("measure");
    return response;
  };
  await measureTogether({ text, watchUntil: (time) => send({ watchUntil: time }) });
  try {
    const allowed = new Promise<void>((resolve) =>
      process.on("message", (message: Message) => message === "respond" && resolve()),
    );
    send("may I respond?");
    const port = await serve(() => allowed);
    send({ listening: port });
  } catch (error) {
    process.send?.({ refused: (error as Error).message } satisfies Message, () => process.exit(1));
  }
}

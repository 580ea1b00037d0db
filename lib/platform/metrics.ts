import type { Counter, Histogram, Registry } from "prom-client";
import manifest from "@/package.json";
import { env } from "./env";
import { perProcess } from "./process";

/** All metrics of this process. */
interface Metrics {
  registry: Registry;
  requests: Histogram<"route" | "status">;
  statements: Histogram;
  refusals: Counter<"limit">;
  mails: Counter<"outcome">;
}

/** What one of several processes that share a port asks of the primary process. */
interface AllProcesses {
  /** The text of all of them together. */
  text: () => Promise<string>;
  /** Has all of them measure until this time. */
  watchUntil: (time: number) => void;
}

type Library = typeof import("prom-client");

interface Measured {
  library?: Library;
  metrics?: Metrics;
  processes?: AllProcesses;
  watchedUntil: number;
}

const measured = perProcess("metrics", (): Measured => ({ watchedUntil: 0 }));
// Loaded only where something is measured: it takes a tenth of a start.
if (env.METRICS_TOKEN !== undefined) measured.library ??= await import("prom-client");

/** How long measuring goes on after somebody last looked. */
const WATCHED_MS = 3 * 60_000;

/** Undefined if nobody may read them (METRICS_TOKEN) and nobody watches: then nothing is measured. */
function metrics(): Metrics | undefined {
  if (!measured.library || !(isMeasuring() || isWatched())) return undefined;
  measured.metrics ??= create(measured.library);
  return measured.metrics;
}

const isWatched = () => measured.watchedUntil > Date.now();

function create({ AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry }: Library): Metrics {
  const registry = new Registry();
  if (isMeasuring()) collectDefaultMetrics({ register: registry });
  AggregatorRegistry.setRegistries([registry]);
  const registers = [registry];
  new Gauge({
    name: "latchkey_build_info",
    help: "Which version runs, and on which version of Node.js",
    labelNames: ["version", "node"],
    registers,
    aggregator: "first",
  }).set({ version: manifest.version, node: process.versions.node }, 1);
  return {
    registry,
    requests: new Histogram({
      name: "latchkey_request_seconds",
      help: "Time until a response begins, by route pattern and status",
      labelNames: ["route", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    statements: new Histogram({
      name: "latchkey_database_seconds",
      help: "Duration of a database statement, including waiting",
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    refusals: new Counter({
      name: "latchkey_limit_reached_total",
      help: "How often each limit was reached",
      labelNames: ["limit"],
      registers,
    }),
    mails: new Counter({
      name: "latchkey_mail_total",
      help: "E-mail messages sent, postponed and given up",
      labelNames: ["outcome"],
      registers,
    }),
  };
}

/** Whether everything is measured, always. */
export const isMeasuring = () => env.METRICS_TOKEN !== undefined;

export function countRequest(route: string, status: number, milliseconds: number): void {
  metrics()?.requests.observe({ route, status }, milliseconds / 1000);
}

export function countStatement(milliseconds: number): void {
  metrics()?.statements.observe(milliseconds / 1000);
}

/** Runs one statement, and counts it if metrics are on. */
export function timedStatement<T>(work: () => Promise<T>): Promise<T> {
  if (!isMeasuring()) return work();
  const started = performance.now();
  return work().finally(() => countStatement(performance.now() - started));
}

export function countRefusal(limit: string): void {
  metrics()?.refusals.inc({ limit });
}

/** Counts an attempt to send an e-mail. */
export function countMail(outcome: "sent" | "postponed" | "given up"): void {
  metrics()?.mails.inc({ outcome });
}

/** Adds a gauge that is read from the database on request: all processes see the same value, so it is not summed. */
export function gauge<Label extends string>(
  name: string,
  { help, labelNames = [] }: { help: string; labelNames?: Label[] },
  read: () => Promise<[labels: Partial<Record<Label, string>>, value: number][]>,
): void {
  const registry = metrics()?.registry;
  if (!measured.library || !registry || registry.getSingleMetric(name)) return;
  new measured.library.Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    aggregator: "first",
    async collect() {
      for (const [labels, value] of await read()) this.set(labels as Record<Label, string>, value);
    },
  });
}

/** All metrics in Prometheus' text format, of all processes behind this port. */
export async function metricsText(): Promise<string> {
  return measured.processes?.text() ?? metrics()?.registry.metrics() ?? "";
}

/** Has requests measured for some minutes from now on, in all processes behind this port. */
export async function watch(): Promise<void> {
  const until = Date.now() + WATCHED_MS;
  measured.processes?.watchUntil(until);
  await watchUntil(until);
}

/** Has this process measure requests until this time (Unix ms). */
export async function watchUntil(time: number): Promise<void> {
  measured.watchedUntil = time;
  measured.library ??= await import("prom-client");
  metrics();
}

/** For one of several processes behind one port. */
export async function measureTogether(processes: AllProcesses): Promise<void> {
  measured.library ??= await import("prom-client");
  metrics();
  new measured.library.AggregatorRegistry();
  measured.processes = processes;
}

/** The text of all workers, for the process that started them. */
export async function aggregator(): Promise<() => Promise<string>> {
  const { AggregatorRegistry } = await import("prom-client");
  const registry = new AggregatorRegistry();
  return () => registry.clusterMetrics();
}

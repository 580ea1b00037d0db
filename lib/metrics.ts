import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { env } from "./env";

/** All metrics of this process. */
interface Metrics {
  registry: Registry;
  requests: Histogram<"route" | "status">;
  statements: Histogram;
  refusals: Counter<"limit">;
  mails: Counter<"outcome">;
  /** The text of all processes together, if several share one port. */
  ofAllProcesses?: () => Promise<string>;
}

/** One per process, not per copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyMetrics?: Metrics };

/** Undefined if nobody may read them (METRICS_TOKEN): then nothing is measured. */
function metrics(): Metrics | undefined {
  if (env.METRICS_TOKEN) perProcess.latchkeyMetrics ??= create();
  return perProcess.latchkeyMetrics;
}

function create(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  AggregatorRegistry.setRegistries([registry]);
  const registers = [registry];
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

/** Whether anything is measured. */
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
  help: string,
  labelNames: Label[],
  read: () => Promise<[labels: Partial<Record<Label, string>>, value: number][]>,
): void {
  const registry = metrics()?.registry;
  if (!registry || registry.getSingleMetric(name)) return;
  new Gauge({
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
  const measured = metrics();
  return measured?.ofAllProcesses?.() ?? measured?.registry.metrics() ?? "";
}

/** For one of several processes: `ask` gets the text of all of them from the primary process. */
export function measureTogether(ask: () => Promise<string>): void {
  const measured = metrics();
  if (!measured) return;
  new AggregatorRegistry();
  measured.ofAllProcesses = ask;
}

/** The text of all workers, for the process that started them. */
export function aggregator(): () => Promise<string> {
  const registry = new AggregatorRegistry();
  return () => registry.clusterMetrics();
}

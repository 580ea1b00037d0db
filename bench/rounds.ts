import { type RunningServer, run } from "./child";
import { processorSeconds, residentBytes } from "./machine";

/** What one row of the benchmark compares, on one database. */
export interface Comparison {
  work: string;
  database: "SQLite" | "PostgreSQL";
  results: Result[];
}

/** One of the compared servers. */
export interface Contender {
  name: string;
  kind: "ours" | "floor" | "peer";
  server: RunningServer;
  requests: BenchRequest[];
  /** The expected status of each response. */
  status: number;
}

export interface BenchRequest {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** The results of one contender: medians of its rounds. */
export interface Result {
  name: string;
  kind: Contender["kind"];
  /** By their titles. */
  figures: Record<string, number>;
  /** Ours divided by this one: the median of the ratios of each round. */
  oursToThis: number;
}

export interface Effort {
  rounds: number;
  /** Duration of one round, and of the warm-up before the first. */
  seconds: number;
  connections: number;
}

interface LoadResult {
  responses: number;
  failed: number;
  seconds: number;
  p50: number;
  p99: number;
}

interface Round {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** Microseconds of the server's processor time per request, all its threads. */
  processor: number;
}

/** Sends requests to one server for a while. Throws if a response is unexpected: then there is nothing to compare. */
async function measure(
  { name, server, requests, status }: Contender,
  { connections, seconds }: Effort,
): Promise<Round> {
  const input = JSON.stringify({ url: server.url, connections, seconds, requests, status });
  const before = processorSeconds(server.pid);
  const result: LoadResult = JSON.parse(await run(["bench/load.mjs"], { input }));
  const used = processorSeconds(server.pid) - before;
  if (result.failed > 0 || result.responses === 0)
    throw new Error(`${name}: ${result.failed} of ${result.responses} answers were not ${status}.`);
  return {
    requestsPerSecond: result.responses / result.seconds,
    p50: result.p50,
    p99: result.p99,
    processor: (used * 1e6) / result.responses,
  };
}

/** Compares servers by the requests that they answer. The first is ours. */
export async function compare(contenders: Contender[], effort: Effort): Promise<Result[]> {
  const rows = await inTurns(contenders, effort.rounds, (contender) => measure(contender, effort));
  return contenders.map(({ name, kind, server }, index) => {
    const own = rows[index] ?? [];
    const middle = (column: keyof Round) => median(own.map((row) => row[column]));
    return {
      name,
      kind,
      figures: {
        "requests/s": middle("requestsPerSecond"),
        "p50 ms": middle("p50"),
        "p99 ms": middle("p99"),
        "processor µs": middle("processor"),
        "memory MB": residentBytes(server.pid) / 1e6,
      },
      oursToThis: oursTo(rows, index, ({ requestsPerSecond }) => requestsPerSecond),
    };
  });
}

/**
 * Lets the contenders take turns, and starts each round with a different one, so that other load on the machine affects
 * all alike. Each is warmed up once before. Returns the rounds of each.
 */
export async function inTurns<C, R>(contenders: C[], rounds: number, measure: (one: C) => Promise<R>): Promise<R[][]> {
  for (const contender of contenders) await measure(contender);
  const rows = contenders.map(() => [] as R[]);
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < contenders.length; turn++) {
      const index = (turn + round) % contenders.length;
      rows[index]?.push(await measure(contenders[index] as C));
    }
  return rows;
}

/** The median of the ratios of the first contender's rounds to another's. */
export const oursTo = <R>(rows: R[][], index: number, figure: (round: R) => number) =>
  median((rows[index] ?? []).map((row, round) => figure(rows[0]?.[round] as R) / figure(row)));

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

import { type RunningServer, run } from "./child";
import { processorSeconds, residentBytes } from "./machine";

/** One of the compared servers. */
export interface Contender {
  name: string;
  kind: "ours" | "floor" | "peer";
  server: RunningServer;
  /** Those of every run, or of the next one. */
  requests: Asked[] | (() => Asked[]);
  /** The expected status of each response. */
  status: number;
}

export interface Asked {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** The results of one contender: medians of its rounds. */
export interface Result {
  name: string;
  kind: Contender["kind"];
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** The longest stall of the server's event loop in any round, in ms; null if it is not Node. */
  stall: number | null;
  /** Microseconds of the server's processor time per request, all its threads; null if the system does not say. */
  cpuPerRequest: number | null;
  /** The server's resident memory at the end, in MB. */
  memoryMB: number | null;
  /** Ours divided by this one, in requests/s and in processor time: the median of the ratios of each round. */
  oursToThis: number;
  oursToThisByCpu: number | null;
}

export interface Effort {
  rounds: number;
  /** Duration of one round, and of the warm-up before the first. */
  seconds: number;
  connections: number;
}

interface Answered {
  answered: number;
  failed: number;
  seconds: number;
  p50: number;
  p99: number;
}

type Round = { requestsPerSecond: number; p50: number; p99: number; stall: number; cpuPerRequest: number };

/** Sends requests to one server for a while. Throws if a response is unexpected: then there is nothing to compare. */
export async function ask(
  { name, server, requests, status }: Contender,
  connections: number,
  seconds: number,
): Promise<Round> {
  const asked = typeof requests === "function" ? requests() : requests;
  const input = JSON.stringify({ url: server.url, connections, seconds, requests: asked, status });
  await server.longestStall();
  const before = processorSeconds(server.pid);
  const result: Answered = JSON.parse(await run(["bench/load.mjs"], { input }));
  const used = processorSeconds(server.pid) - before;
  if (result.failed > 0 || result.answered === 0)
    throw new Error(`${name}: ${result.failed} of ${result.answered} answers were not ${status}.`);
  return {
    requestsPerSecond: result.answered / result.seconds,
    p50: result.p50,
    p99: result.p99,
    stall: await server.longestStall(),
    cpuPerRequest: (used * 1e6) / result.answered,
  };
}

/**
 * Lets the contenders take turns, and starts each round with a different one, so that other load on the machine affects
 * all alike. The first is ours.
 */
export async function compare(contenders: Contender[], { rounds, seconds, connections }: Effort): Promise<Result[]> {
  const rows = new Map(contenders.map((contender) => [contender, [] as Round[]]));
  for (const contender of contenders) await ask(contender, connections, seconds);
  for (let round = 0; round < rounds; round++) {
    const turn = round % contenders.length;
    for (const contender of [...contenders.slice(turn), ...contenders.slice(0, turn)])
      rows.get(contender)?.push(await ask(contender, connections, seconds));
  }
  const [ours = []] = [...rows.values()];
  return [...rows].map(([{ name, kind, server }, own]) => ({
    name,
    kind,
    requestsPerSecond: Math.round(medianOf(own, "requestsPerSecond")),
    p50: rounded(medianOf(own, "p50")),
    p99: rounded(medianOf(own, "p99")),
    stall: known(Math.max(...own.map(({ stall }) => stall))),
    cpuPerRequest: known(medianOf(own, "cpuPerRequest")),
    memoryMB: known(residentBytes(server.pid) / 1e6),
    oursToThis: rounded(median(own.map((row, index) => (ours[index]?.requestsPerSecond ?? 0) / row.requestsPerSecond))),
    oursToThisByCpu: known(median(own.map((row, index) => row.cpuPerRequest / (ours[index]?.cpuPerRequest ?? 0)))),
  }));
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

const medianOf = (rows: Round[], column: keyof Round) => median(rows.map((row) => row[column]));

/** Rounds to two decimal places. */
export const rounded = (value: number) => Math.round(value * 100) / 100;

export const known = (value: number) => (Number.isFinite(value) ? rounded(value) : null);

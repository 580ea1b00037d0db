import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "@/scripts/postgres";
import { type RunningService, startService } from "@/tests/support/service";
import { ACTS, type Deed } from "./acts";
import { dealer } from "./dealer";
import { type Household, newHousehold, random } from "./household";
import { type MemoryVerdict, watchMemory } from "./memory";
import { type Operator, startOperator } from "./operator";
import { Record } from "./record";
import { INVALID_TOKENS_PER_MINUTE } from "./refusals";

const HOUSEHOLDS = 12;
/** Between two acts of one household, at most. Nobody's load is to keep the machine from all other work. */
const MOST_PAUSE_MS = 150;
const MEMORY_EVERY_MS = 1_000;
/** From pino's documentation: error. */
const ERROR_LEVEL = 50;

export interface Soak {
  minutes: number;
  database: "sqlite" | "postgresql";
}

export interface Report {
  record: Record;
  memory: MemoryVerdict;
}

/**
 * Runs mixed load against a service of its own for so many minutes, and holds every answer to the contract and to what
 * was done before. PostgreSQL is one of its own, that waits for the disk. `note` is told how far it is, once a minute.
 */
export async function soak({ minutes, database }: Soak, note: (line: string) => void = () => {}): Promise<Report> {
  const postgres = database === "postgresql" ? await startPostgres() : undefined;
  const service = await startService(
    { lane: "direct", database },
    { FAILED_TOKENS_PER_MINUTE: String(INVALID_TOKENS_PER_MINUTE) },
    postgres,
  );
  const operator = startOperator({ ...service.storage, NEXTAUTH_URL: service.url });
  try {
    return await load(service, operator, minutes, note);
  } finally {
    operator.stop();
    await service.stop();
    await postgres?.stop();
  }
}

async function load(
  service: RunningService,
  operator: Operator,
  minutes: number,
  note: (line: string) => void,
): Promise<Report> {
  const record = new Record();
  const end = Date.now() + minutes * 60_000;
  const memory = watchMemory(() => service.pids()[0] ?? 0, MEMORY_EVERY_MS);
  const started = Date.now();
  const telling = setInterval(() => {
    const minute = Math.round((Date.now() - started) / 60_000);
    note(`minute ${minute} of ${minutes}: ${record.answers} answers, ${record.faultCount} not allowed`);
  }, 60_000);
  const deal = dealer(ACTS);
  await Promise.all(
    Array.from({ length: HOUSEHOLDS }, () => live({ origin: service.url, record, operator, end, deal })),
  );
  clearInterval(telling);
  for (const reason of errorLines(service.logFile)) record.fault({ act: "the service's log", route: "", reason });
  return { record, memory: memory.verdict() };
}

export interface Life {
  origin: string;
  record: Record;
  operator: Operator;
  /** When it ends. */
  end: number;
  /** What to do next. */
  deal: () => Deed;
}

/**
 * Does one act after another until the end. A household in which a fault was seen is left for a new one: what is true
 * there is no longer known.
 */
export async function live({ origin, record, operator, end, deal }: Life): Promise<void> {
  let home: Household | undefined;
  while (Date.now() < end) {
    const { name, act } = deal();
    try {
      home ??= await newHousehold(origin, record, operator);
      await act(home);
      record.did(name);
    } catch (error) {
      record.fault({
        act: name,
        route: home?.client.lastRoute ?? "",
        reason: error instanceof Error ? error.message : String(error),
      });
      home = undefined;
    }
    await sleep(random(MOST_PAUSE_MS));
  }
}

/** Nothing of what a soak does is an error of the service's own. */
export function errorLines(logFile: string): string[] {
  return readFileSync(logFile, "utf8")
    .split("\n")
    .filter((line) => Number(/^\{"level":(\d+)/.exec(line)?.[1]) >= ERROR_LEVEL || /^\w*Error: |unhandled/i.test(line));
}

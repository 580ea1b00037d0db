import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { routes } from "@/app/(api)/routes";
import { expectError, expectSuccess } from "@/tests/contract/answers";
import { type Answer, type Asking, newNetwork, sendTo } from "@/tests/support/request";

const MB = 1_000_000;
const EVERY_MS = 500;

/** From how long a run on it is said whether memory is flat: before, caches still fill. */
const JUDGED_FROM_MINUTES = 10;
/** What counts as flat: the last quarter of the run over the one before. */
const MAX_GROWTH = { part: 0.05, bytes: 16 * MB };

/** Notes how much memory a process has resident, until it is asked whether that was flat. */
export function watchMemory(pid: number): { isFlat(): boolean | null } {
  const started = Date.now();
  const samples: { minute: number; bytes: number }[] = [];
  const timer = setInterval(async () => {
    const minute = (Date.now() - started) / 60_000;
    samples.push({ minute, bytes: await residentBytes(pid) });
  }, EVERY_MS);
  return {
    isFlat() {
      clearInterval(timer);
      return isFlat(samples);
    },
  };
}

/** Whether memory was flat in the second half of the samples; null where they are too few to say. */
export function isFlat(samples: { minute: number; bytes: number }[]): boolean | null {
  if ((samples.at(-1)?.minute ?? 0) < JUDGED_FROM_MINUTES * 0.95) return null;
  const quarter = (n: number) => samples.slice((samples.length * n) / 4, (samples.length * (n + 1)) / 4);
  const [third = 0, last = 0] = [quarter(2), quarter(3)].map((part) => median(part.map(({ bytes }) => bytes)));
  return last <= third + Math.max(MAX_GROWTH.bytes, third * MAX_GROWTH.part);
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Bytes of memory that a process has resident. */
export async function residentBytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return Number(stdout) * 1024;
}

/** An answer, or a silence, that the contract does not allow. */
interface Fault {
  /** What was being done. */
  act: string;
  /** What was asked last, without its parameters. */
  route: string;
  reason: string;
}

/** How many faults are kept in full; more are only counted. */
const KEPT_FAULTS = 50;
const PULSE_MS = 50;

/** Keeps count of what happens in a soak, in constant memory. */
export class Record {
  readonly acts = new Map<string, number>();
  readonly faults: Fault[] = [];
  faultCount = 0;
  answers = 0;

  did(act: string): void {
    this.acts.set(act, (this.acts.get(act) ?? 0) + 1);
  }

  fault(act: string, route: string, reason: string): void {
    this.faultCount++;
    if (this.faults.length < KEPT_FAULTS) this.faults.push({ act, route, reason });
  }
}

/** Asks for /health every 50 ms, whether or not the last answer is there. An answer that is not 200 is a fault. */
export function watchPulse(origin: string, record: Record): () => Promise<void> {
  const network = newNetwork().id;
  const waiting = new Set<Promise<void>>();
  const beat = async () => {
    const answer = await sendTo(origin, "/health", { network }).then(({ status, text }) => `${status} ${text}`, String);
    if (answer !== '200 {"status":"ok"}') record.fault("the pulse", "/health", answer);
  };
  const timer = setInterval(() => {
    const answered: Promise<void> = beat().finally(() => waiting.delete(answered));
    waiting.add(answered);
  }, PULSE_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(waiting);
  };
}

/** What an answer of the API must be: 200, or an error with this status and code. */
type Expected = 200 | readonly [status: number, code: string];
type Query = NonNullable<Asking["query"]>;

/** Speaks to the service and keeps count. Every answer is held to the contract as it comes in. */
export class Client {
  /** What was asked last, for who tells of a fault. */
  lastRoute = "";

  constructor(
    readonly origin: string,
    readonly record: Record,
    /** Where it is, unless a request says otherwise. */
    readonly network: string,
  ) {}

  /** Sends a request that counts under `route`. */
  async send(route: string, path: string, asking: Asking = {}): Promise<Answer> {
    this.lastRoute = route;
    const answer = await sendTo(this.origin, path, { network: this.network, ...asking });
    this.record.answers++;
    return answer;
  }

  /**
   * Asks a route of the API, named by its pattern, and holds the answer to what it must be here and to what the route
   * declares. The values of `{…}` in the pattern are taken from `query`.
   */
  async ask(pattern: string, expected: Expected, query: Query = {}, asking: Omit<Asking, "query"> = {}) {
    const rest = { ...query };
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest[name]);
      delete rest[name];
      return encodeURIComponent(value);
    });
    const answer = await this.send(pattern, path, { ...asking, query: rest });
    if (expected === 200) checkSuccess(pattern, answer);
    else expectError(answer, ...expected);
    return answer;
  }
}

function checkSuccess(pattern: string, answer: Answer): void {
  expectSuccess(answer);
  const sent: unknown = JSON.parse(answer.text);
  const declared = routes[pattern]?.GET.declaration.response.safeParse(sent);
  if (declared) assert.deepEqual(declared.data, sent, "the answer is what the route declares, and nothing beside");
}

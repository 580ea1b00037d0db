import { createHistogram, type RecordableHistogram } from "node:perf_hooks";

/** An answer, or a silence, that the contract does not allow. */
export interface Fault {
  /** What was being done. */
  act: string;
  /** What was asked last, without its parameters. */
  route: string;
  reason: string;
}

/** What a soak saw. Times are in milliseconds. */
export interface RouteFigures {
  route: string;
  answers: number;
  p50: number;
  p99: number;
  longest: number;
}

/** How many faults are kept in full; more are only counted. */
const KEPT_FAULTS = 50;

/** Keeps count of what happens in a soak, in constant memory. */
export class Record {
  private readonly times = new Map<string, RecordableHistogram>();
  readonly acts = new Map<string, number>();
  readonly statuses = new Map<number, number>();
  readonly faults: Fault[] = [];
  faultCount = 0;
  answers = 0;

  answered(route: string, status: number, ms: number): void {
    const times = this.times.get(route) ?? createHistogram();
    this.times.set(route, times);
    times.record(Math.max(1, Math.round(ms * 1000)));
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.answers++;
  }

  did(act: string): void {
    this.acts.set(act, (this.acts.get(act) ?? 0) + 1);
  }

  fault(fault: Fault): void {
    this.faultCount++;
    if (this.faults.length < KEPT_FAULTS) this.faults.push(fault);
  }

  routes(): RouteFigures[] {
    const ms = (microseconds: number) => Math.round(microseconds / 100) / 10;
    return [...this.times]
      .map(([route, times]) => ({
        route,
        answers: times.count,
        p50: ms(times.percentile(50)),
        p99: ms(times.percentile(99)),
        longest: ms(times.max),
      }))
      .sort((a, b) => a.route.localeCompare(b.route));
  }
}

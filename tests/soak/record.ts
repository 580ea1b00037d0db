import { newNetwork } from "@/tests/support/network";
import { sendTo } from "@/tests/support/request";

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

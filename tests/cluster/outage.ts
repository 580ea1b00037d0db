import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { newId } from "@/lib/ids";
import { type Answer, sendTo } from "@/tests/support/request";

const EVERY_MS = 250;
/** So many acknowledged changes in a row, begun after the break, and it is over. */
const ENOUGH = 12;
const FOUR_MINUTES = 240_000;

/** A client that creates a key four times a second, whether or not it got a response, and measures the gaps. */
export class Outage {
  private readonly acknowledged: { begun: number; at: number }[] = [];
  private readonly asking = setInterval(() => void this.ask(), EVERY_MS);
  private fault: Answer | undefined;
  private slowest = 0;

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  private async ask(): Promise<void> {
    const begun = performance.now();
    const query = { auth: this.token, data: newId(), price: "1" };
    // Without an answer, it is part of the outage.
    const answer = await sendTo(this.url, "/keys/create", { query, once: true }).catch(() => undefined);
    const at = performance.now();
    this.slowest = Math.max(this.slowest, at - begun);
    if (answer?.status === 200) this.acknowledged.push({ begun, at });
    else if (answer && answer.status !== 503 && answer.status !== 507) this.fault ??= answer;
  }

  /** Waits until changes that began from now on are acknowledged again. */
  async isOver(): Promise<void> {
    const from = performance.now() + 2 * EVERY_MS;
    const giveUp = from + FOUR_MINUTES;
    while (this.acknowledged.filter(({ begun }) => begun > from).length < ENOUGH) {
      expect(performance.now(), "Nothing is acknowledged any more.").toBeLessThan(giveUp);
      await sleep(EVERY_MS);
    }
  }

  /** Ends the client. Returns the longest time without an acknowledged change, and that for a response, in seconds. */
  stop(): { seconds: number; slowest: number } {
    clearInterval(this.asking);
    expect(this.fault?.text).toBeUndefined();
    const times = this.acknowledged.map(({ at }) => at).sort((a, b) => a - b);
    const gaps = times.map((time, n) => time - (times[n - 1] ?? time));
    return { seconds: Math.max(...gaps) / 1_000, slowest: this.slowest / 1_000 };
  }
}

/** The time over which the rate is averaged. */
const AVERAGED_MS = 10_000;
/** No rate before this time: the first moments say little. */
const LEAST_MS = 2_000;

/** How fast bytes are sent, averaged over the last seconds. */
export class UploadRate {
  private moved = 0;
  private readonly samples: { at: number; moved: number }[];

  /** `sent`: the bytes that are already sent, at the time `now` in milliseconds. */
  constructor(
    private sent: number,
    now: number,
  ) {
    this.samples = [{ at: now, moved: 0 }];
  }

  /** Bytes per second, or undefined if it is not yet known or nothing moves. Call this about once a second. */
  measure(sent: number, now: number): number | undefined {
    // An upload that is retried or cancelled takes its bytes back: that is no speed.
    this.moved += Math.max(0, sent - this.sent);
    this.sent = sent;
    this.samples.push({ at: now, moved: this.moved });
    while (this.samples[1] && this.samples[1].at <= now - AVERAGED_MS) this.samples.shift();
    const [first] = this.samples;
    if (!first || now - first.at < LEAST_MS || this.moved === first.moved) return undefined;
    return (this.moved - first.moved) / ((now - first.at) / 1_000);
  }
}

import { counted } from "@/lib/platform/bounds";

/** The time over which the rate is averaged. */
const AVERAGED_MS = 10_000;
/** No rate before this time: the first moments are not representative. */
const LEAST_MS = 2_000;

/** How fast bytes are sent, averaged over the last seconds. */
export class UploadRate {
  private moved = 0;
  private readonly samples: { at: number; moved: number }[];

  /** `uploaded`: the bytes that are already sent, at the time `now` in milliseconds. */
  constructor(
    private uploaded: number,
    now: number,
  ) {
    this.samples = [{ at: now, moved: 0 }];
  }

  /** Bytes per second, or undefined if it is not yet measured or nothing moves. Call this about once a second. */
  measure(uploaded: number, now: number): number | undefined {
    // An upload that is retried or cancelled sends its bytes again: that is no speed.
    this.moved += Math.max(0, uploaded - this.uploaded);
    this.uploaded = uploaded;
    this.samples.push({ at: now, moved: this.moved });
    while (this.samples[1] && this.samples[1].at <= now - AVERAGED_MS) this.samples.shift();
    const [first] = this.samples;
    if (!first || now - first.at < LEAST_MS || this.moved === first.moved) return undefined;
    return (this.moved - first.moved) / ((now - first.at) / 1_000);
  }
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A readable duration, like "8 s", "45 s" or "1 h 20 min": rounded up, and the longer the coarser, to stay calm. */
export function readableSeconds(seconds: number): string {
  if (seconds <= 10) return `${Math.max(1, Math.ceil(seconds))} s`;
  if (seconds <= MINUTE - 5) return `${Math.ceil(seconds / 5) * 5} s`;
  if (seconds > DAY) return "more than a day";
  const minutes = Math.ceil(seconds / MINUTE);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])].join(" ");
}

export type UploadStage =
  | "waiting"
  | "sending"
  | "conflict"
  | "done"
  | "unchanged"
  | "skipped"
  | "cancelled"
  | "failed";

/** How many uploads there are: in all but those left out and cancelled, and of each kind. */
interface UploadCounts {
  open: number;
  failed: number;
  done: number;
  unchanged: number;
  skipped: number;
  all: number;
  hasFolders: boolean;
}

export function countUploads(uploads: readonly { state: UploadStage; isFolder: boolean }[]): UploadCounts {
  const number = (...states: UploadStage[]) => uploads.filter(({ state }) => states.includes(state)).length;
  const [open, failed, done] = [number("waiting", "sending", "conflict"), number("failed"), number("done")];
  const [unchanged, skipped] = [number("unchanged"), number("skipped")];
  const hasFolders = uploads.some(({ isFolder }) => isFolder);
  return { open, failed, done, unchanged, skipped, all: open + failed + done, hasFolders };
}

/** How far they are, or how they ended, without a full stop. */
export function uploadsInWords({ open, failed, done, unchanged, skipped, all, hasFolders }: UploadCounts): string {
  const [one, many] = hasFolders ? ["file or folder", "files and folders"] : ["file", "files"];
  const files = (number: number, kind = "") => counted(number, `${kind}${one}`, `${kind}${many}`);
  if (open > 0) return `Uploading ${done.toLocaleString("en")} of ${files(all)}`;
  const parts = [
    ...(failed > 0 ? [`${files(failed)} couldn't be uploaded`] : []),
    ...(done > 0 ? [`${files(done)} uploaded`] : []),
    ...(unchanged > 0 ? [`${files(unchanged, "unchanged ")} skipped`] : []),
    ...(skipped > 0 ? [`${skipped.toLocaleString("en")} skipped`] : []),
  ];
  return done + failed + unchanged > 0 ? parts.join(", ") : ["Nothing was uploaded", ...parts].join(", ");
}

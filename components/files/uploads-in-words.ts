export type UploadStage = "waiting" | "sending" | "asking" | "done" | "skipped" | "cancelled" | "failed";

/** How many uploads there are: in all but those skipped and cancelled, and of each kind. */
export interface UploadCounts {
  open: number;
  failed: number;
  done: number;
  skipped: number;
  all: number;
}

export function countUploads(uploads: readonly { state: UploadStage }[]): UploadCounts {
  const count = (...states: UploadStage[]) => uploads.filter(({ state }) => states.includes(state)).length;
  const [open, failed, done] = [count("waiting", "sending", "asking"), count("failed"), count("done")];
  return { open, failed, done, skipped: count("skipped"), all: open + failed + done };
}

/** How far they are, or how they ended, without a full stop. */
export function uploadsInWords({ open, failed, done, skipped, all }: UploadCounts): string {
  const files = (count: number) => (count === 1 ? "1 file" : `${count.toLocaleString("en")} files`);
  if (open > 0) return `Uploading ${done.toLocaleString("en")} of ${files(all)}`;
  const parts = [
    ...(failed > 0 ? [`${files(failed)} couldn't be uploaded`] : []),
    ...(done > 0 ? [`${files(done)} uploaded`] : []),
    ...(skipped > 0 ? [`${skipped.toLocaleString("en")} skipped`] : []),
  ];
  return done + failed > 0 ? parts.join(", ") : ["Nothing was uploaded", ...parts].join(", ");
}

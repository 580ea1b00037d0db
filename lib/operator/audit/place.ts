import { ApiError } from "@/lib/errors";
import { perProcess } from "@/lib/per-process";

/** Exports that one process sends at once. Each holds a page of events, as rows and as text. */
export const MOST_EXPORTS = 8;
/** How long a client may take nothing. A slow line empties the system's buffers, a few MB, in less. */
const STALLED_MS = 5 * 60_000;

const exporting = perProcess("exports", () => ({ count: 0 }));

/**
 * The chunks of an export for one client, in one of the process's places until they end, the client leaves, or it takes
 * nothing for `stalledMs`: then `cut` is called, and no chunk follows. Throws 503 `too_many_exports`.
 */
export function inPlace<Chunk>(
  chunks: AsyncGenerator<Chunk, void>,
  cut: () => void,
  stalledMs = STALLED_MS,
): AsyncIterableIterator<Chunk, void> {
  if (exporting.count >= MOST_EXPORTS) throw tooManyExports();
  exporting.count++;

  let state: "in place" | "left" | "stalled" = "in place";
  let timer: NodeJS.Timeout | undefined;
  const leave = (how: "left" | "stalled") => {
    clearTimeout(timer);
    if (state !== "in place") return;
    state = how;
    exporting.count--;
  };
  const awaitClient = () => {
    timer = setTimeout(() => {
      leave("stalled");
      cut();
      void chunks.return();
    }, stalledMs).unref();
  };
  // A client may leave before it takes anything.
  awaitClient();
  return {
    async next() {
      clearTimeout(timer);
      if (state === "stalled") throw new Error("The client of an export took nothing for too long.");
      try {
        const step = await chunks.next();
        if (step.done) leave("left");
        else if (state === "in place") awaitClient();
        return step;
      } catch (error) {
        leave("left");
        throw error;
      }
    },
    return() {
      leave("left");
      return chunks.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const tooManyExports = () =>
  new ApiError(
    503,
    "too_many_exports",
    `${MOST_EXPORTS} exports of the audit trail are being sent right now. Try again when one of them has ended.`,
  );

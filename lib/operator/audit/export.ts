import { BYTE_ORDER_MARK, csvLine, jsonField } from "@/lib/platform/csv";
import { ApiError } from "@/lib/platform/errors";
import { perProcess } from "@/lib/platform/process";
import { Room } from "@/lib/platform/queue";
import { jsonLine } from "@/lib/platform/safe-text";
import { type AuditedEvent, type AuditFilter, rangeOf, searchEvents, searchWithin, withActors } from "./search";

/** Exports that one process sends at once. Each holds a page of events, as rows and as text. */
export const MAX_EXPORTS = 8;
/** How long a client may take nothing. A slow line empties the system's buffers, a few MB, in less. */
const STALLED_MS = 5 * 60_000;

const exporting = perProcess(
  "exports",
  () => new Room({ ofAll: { count: MAX_EXPORTS }, refusal: () => tooManyExports() }),
);

/**
 * The chunks of an export for one client, in one of the process's slots until they end, the client leaves, or it takes
 * nothing for `stalledMs`: then `cut` is called, and no chunk follows. Throws 503 `too_many_exports`.
 */
export function inSlot<Chunk>(
  chunks: AsyncGenerator<Chunk, void>,
  cut: () => void,
  stalledMs = STALLED_MS,
): AsyncIterableIterator<Chunk, void> {
  const place = { names: [] };
  exporting.enter(place);

  let isStalled = false;
  let timer: NodeJS.Timeout | undefined;
  const leave = () => {
    clearTimeout(timer);
    exporting.leave(place);
  };
  const awaitClient = () => {
    timer = setTimeout(() => {
      isStalled = true;
      leave();
      cut();
      void chunks.return();
    }, stalledMs).unref();
  };
  // A client may leave before it takes anything.
  awaitClient();
  return {
    async next() {
      clearTimeout(timer);
      if (isStalled) throw new Error("The client of an export took nothing for too long.");
      try {
        const step = await chunks.next();
        if (step.done) leave();
        else if (exporting.all.has(place)) awaitClient();
        return step;
      } catch (error) {
        leave();
        throw error;
      }
    },
    return() {
      leave();
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
    `${MAX_EXPORTS} exports of the audit trail are being sent right now. Try again when one of them has ended.`,
    { headers: { "Retry-After": "60" } },
  );

export const EXPORT_FORMATS = ["json", "csv"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Events per statement. */
const PAGE = 500;

/**
 * The events that match, oldest first, as they are found: a page in memory at a time, read only when the one before it
 * was taken. Between two pages nothing is held of the database. Ends with the event `last`, or else with the newest one
 * at the beginning.
 */
export async function* matchingEvents(filter: AuditFilter, last?: number): AsyncGenerator<AuditedEvent[]> {
  const end = last ?? (await searchEvents({}, { order: "newest first", size: 1 })).rows[0]?.id ?? 0;
  const range = await rangeOf(filter, { before: end + 1 });
  for (let after: number | null = range.after; after !== null; ) {
    const { rows, reached } = await searchWithin(filter, { ...range, after }, { order: "oldest first", size: PAGE });
    if (rows.length > 0) yield await withActors(rows);
    after = reached;
  }
}

/**
 * The events that match as a file, which ends with the number of events: as `{"complete":true,"events":n}`, or as a
 * line of which the first field is "complete". Without that line, the file is cut off.
 */
export async function* exportedEvents(filter: AuditFilter, format: ExportFormat): AsyncGenerator<Buffer> {
  let count = 0;
  const lineOf = LINES[format];
  if (format === "csv") yield Buffer.from(CSV_START);
  for await (const events of matchingEvents(filter)) {
    count += events.length;
    yield Buffer.from(events.map(lineOf).join(""));
  }
  yield Buffer.from(format === "csv" ? csvEnd(count) : `${JSON.stringify({ complete: true, events: count })}\n`);
}

const COLUMNS = ["at", "action", "subject", "actor", "actorId", "network", "detail"];
/** What a CSV file begins with. */
export const CSV_START = BYTE_ORDER_MARK + csvLine(COLUMNS);
const csvEnd = (count: number) => csvLine(["complete", String(count), ...COLUMNS.slice(2).map(() => "")]);

/** An event as a line of each format. */
export const LINES: Record<ExportFormat, (event: AuditedEvent) => string> = {
  json: ({ at, action, subjectId, actor, actorId, detail }) =>
    `${jsonLine({ at, action, subject: subjectId, actor, actorId, detail })}\n`,
  csv: ({ at, action, subjectId, actor, actorId, network, detail }) =>
    csvLine([at.toISOString(), action, subjectId, actor ?? "", actorId ?? "", network ?? "", jsonField(detail)]),
};

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { keyNotFound } from "@/lib/keys/errors";
import { CSV_START, type ExportFormat, exportedEvents, LINES, matchingEvents } from "@/lib/operator/audit/export";
import { readFilter } from "@/lib/operator/audit/filter";
import { newEvents } from "@/lib/operator/audit/page";
import { type AuditedEvent, type AuditFilter, searchEvents, withActors } from "@/lib/operator/audit/search";
import { plainAtTerminal } from "@/lib/platform/safe-text";

interface PrintOptions {
  user?: string;
  key?: string;
  action?: string;
  network?: string;
  since?: string;
  until?: string;
  format?: ExportFormat;
  follow?: true;
  limit?: number;
}

const LIMIT = 100;

/**
 * Prints the newest events that match, oldest first; all of them, with a format or a beginning; and with `follow`, new
 * ones until the command is interrupted. Ends quietly when the reader of its output does.
 */
export async function printAudit(options: PrintOptions): Promise<undefined> {
  const { user: who, action: what, key: which, network, since: from, until: to } = options;
  const filter = await readFilter({ who, what, which, network, from, to });
  const isComplete = options.limit === undefined && (options.format !== undefined || from !== undefined);
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  process.stdout.once("error", stop);
  try {
    const bytes =
      isComplete && !options.follow ? exported(filter, options.format) : chosen(filter, options, stopped.signal);
    await pipeline(Readable.from(plainAtTerminal(bytes, process.stdout), { objectMode: false }), process.stdout, {
      end: false,
      signal: stopped.signal,
    });
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}

/** Without a format, nothing but events. */
async function* exported(filter: AuditFilter, format: ExportFormat | undefined): AsyncGenerator<Buffer | string> {
  if (format) yield* exportedEvents(filter, format);
  else for await (const events of matchingEvents(filter)) yield events.map(LINES.json).join("");
}

async function* chosen(
  filter: AuditFilter,
  { key, format = "json", follow, limit = LIMIT, since }: PrintOptions,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const newest = (await searchEvents({}, { order: "newest first", size: 1 })).rows[0]?.id ?? 0;
  if (format === "csv") yield CSV_START;
  const lines = (events: AuditedEvent[]) => events.map(LINES[format]).join("");
  if (since !== undefined && follow) for await (const events of matchingEvents(filter, newest)) yield lines(events);
  else {
    const { rows } = await searchEvents(filter, {
      order: "newest first",
      size: limit,
      before: newest + 1,
      patienceMs: Number.POSITIVE_INFINITY,
    });
    if (key !== undefined && rows.length === 0 && !follow) throw keyNotFound();
    // In the order of commits.
    yield lines(await withActors(rows.reverse()));
  }
  if (follow) for await (const events of newEvents(filter, newest, { signal })) yield lines(events);
}

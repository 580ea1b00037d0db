import { create as contentDisposition } from "content-disposition";
import { type ExportFormat, exportedEvents, inSlot } from "@/lib/operator/audit/export";
import { filterIn, readFilter } from "@/lib/operator/audit/filter";
import { streamOf } from "@/lib/platform/http/response";
import { connectionCutter } from "@/lib/platform/request";
import { consoleRoute } from "../../console-request";

const TYPES: Record<ExportFormat, string> = { json: "application/x-ndjson", csv: "text/csv; charset=utf-8" };
const ENDINGS: Record<ExportFormat, string> = { json: "jsonl", csv: "csv" };

/**
 * The events that match, oldest first, produced while they are sent. The last line says that it is complete; a client
 * that takes nothing for five minutes does not get it.
 */
export const GET = consoleRoute("audit export", async (query) => {
  const format = query.get("format") === "csv" ? "csv" : "json";
  const filter = await readFilter(filterIn(Object.fromEntries(query)));
  const day = new Date().toISOString().slice(0, 10);
  const chunks = inSlot(exportedEvents(filter, format), connectionCutter() ?? (() => {}));
  return new Response(streamOf(chunks), {
    headers: {
      "Content-Type": TYPES[format],
      "Content-Disposition": contentDisposition(`latchkey-audit-${day}.${ENDINGS[format]}`),
    },
  });
});

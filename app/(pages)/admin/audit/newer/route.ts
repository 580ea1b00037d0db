import { readFilter } from "@/lib/operator/audit/filter";
import { countNewer } from "@/lib/operator/audit/page";
import { consoleRoute } from "../../console-request";
import { eventId, filterInput } from "../filter-input";

/** More are shown as "100 or more". */
const MAX = 100;

/** How many events that match are newer than those on the page. */
export const GET = consoleRoute("audit newer", async (query) => {
  const filter = await readFilter(filterInput(Object.fromEntries(query)));
  return Response.json({ count: await countNewer(filter, eventId(query.get("after")) ?? 0, MAX) });
});

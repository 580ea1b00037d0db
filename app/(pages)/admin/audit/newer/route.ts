import { readFilter } from "@/lib/operator/audit/filter";
import { countNewer } from "@/lib/operator/audit/page";
import { consoleRoute } from "../../console-request";
import { eventId, typedFilter } from "../typed-filter";

/** More are shown as "100 or more". */
const MAX = 100;

/** How many events that match are newer than those on the page. */
export const GET = consoleRoute("audit newer", async (query) => {
  const filter = await readFilter(typedFilter(Object.fromEntries(query)));
  return Response.json({ count: await countNewer(filter, eventId(query.get("after")) ?? 0, MAX) });
});

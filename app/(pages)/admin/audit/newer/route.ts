import { filterIn, readFilter } from "@/lib/operator/audit/filter";
import { countNewer } from "@/lib/operator/audit/page";
import { consoleRoute } from "../../console-request";

/** More are shown as "100 or more". */
const MAX = 100;

/** How many events that match are newer than those on the page. */
export const GET = consoleRoute("audit newer", async (query) => {
  const filter = await readFilter(filterIn(Object.fromEntries(query)));
  const [after = "0"] = /^\d{1,15}$/.exec(query.get("after") ?? "") ?? [];
  return Response.json({ count: await countNewer(filter, Number(after), MAX) });
});

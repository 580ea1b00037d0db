// Run in its own process: prints a line when it is ready and, once its standard input ends, brings the statistics and
// the users' table up to date as the sweep does. Prints when it began, and that it ended.
import { text } from "node:stream/consumers";
import { recordHours } from "@/lib/operator/statistics";
import { countUsers } from "@/lib/operator/users/summaries";
import { closeDatabase, isResponding } from "@/lib/platform/db/client";
import { isUnavailable } from "@/lib/platform/db/errors";

/** A sweep that the others kept from the database for too long is followed by the next one, as in a service. */
async function completed<T>(sweep: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await sweep();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
}

await isResponding();
console.log("ready");
await text(process.stdin);
const began = Date.now();
console.log(began);
const record = () => recordHours(new Date(began));
await Promise.all([completed(countUsers), completed(record)]);
console.log("ended");
await closeDatabase();

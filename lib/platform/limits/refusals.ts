import { AsyncResource } from "node:async_hooks";
import { transaction } from "../db/client";
import { countRefusal } from "../metrics";
import { perProcess } from "../process";
import { startOfHour } from "../time";

/** How the name of a `Measurement` begins: how often the limit that it ends with was reached in an hour. */
export const REFUSED = "refused by ";

/** How long a process counts by itself. If it is killed, that much is lost. */
const EVERY_MS = 60_000;

interface Counted {
  at: Date;
  limit: string;
  count: number;
}

const refusals = perProcess("refusals", (): { counted: Map<string, Counted>; timer?: NodeJS.Timeout } => ({
  counted: new Map(),
}));

/** A timer would keep the request in which it began. */
const outside = new AsyncResource("refusals");

/** Counts a refusal by this limit, in memory. Within a minute, all that were counted are added to the database. */
export function noteRefusal(limit: string, now = new Date()): void {
  countRefusal(limit);
  note({ at: startOfHour(now), limit, count: 1 });
  refusals.timer ??= outside.runInAsyncScope(() => setTimeout(addRefusals, EVERY_MS).unref());
}

/** Adds to the database what this process has counted. If the database is unavailable, the next time adds it. */
export async function addRefusals(): Promise<void> {
  clearTimeout(refusals.timer);
  refusals.timer = undefined;
  // In one order, so that two processes do not wait for each other.
  const counted = [...refusals.counted].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
  refusals.counted = new Map();
  if (counted.length === 0) return;
  try {
    await transaction(async (tx) => {
      for (const { at, limit, count } of counted) {
        const key = { at, name: REFUSED + limit };
        await tx.measurement.upsert({
          where: { at_name: key },
          create: { ...key, value: count },
          update: { value: { increment: count } },
        });
      }
    });
  } catch {
    // What keeps the database away is logged by those who need it; another process may have been faster to begin a row.
    for (const one of counted) note(one);
  }
}

function note({ at, limit, count }: Counted): void {
  const { counted } = refusals;
  const key = `${at.getTime()} ${limit}`;
  counted.set(key, { at, limit, count: count + (counted.get(key)?.count ?? 0) });
}

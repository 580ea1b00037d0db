import { AsyncResource } from "node:async_hooks";
import { transaction } from "../db/client";
import { countRefusal } from "../metrics";
import { perProcess } from "../process";
import { startOfHour } from "../time";

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
  const here = refusals;
  here.timer ??= outside.runInAsyncScope(() => setTimeout(addRefusals, EVERY_MS).unref());
}

/** Adds to the database what this process has counted. If the database is unavailable, the next time adds it. */
export async function addRefusals(): Promise<void> {
  const here = refusals;
  clearTimeout(here.timer);
  here.timer = undefined;
  // In one order, so that two processes do not wait for each other.
  const counted = [...here.counted].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
  here.counted = new Map();
  if (counted.length === 0) return;
  try {
    await transaction(async (tx) => {
      for (const { count, ...counts } of counted) {
        const key = { span: "hour", ...counts };
        await tx.refusal.upsert({
          where: { span_at_limit: key },
          create: { ...key, count },
          update: { count: { increment: count } },
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

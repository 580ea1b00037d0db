import { Prisma } from "@/lib/platform/db/client";
import { integer, jsonRows, type RowOf, rowShape } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";

/** Ids between these two, without them. */
export interface Between {
  after: number;
  before: number;
}

/**
 * An index, which has the id as its second column, and the value to look for. Null finds events of nobody. There is no
 * index for a combination of filters, nor one of times: each would slow every change, because each change writes an
 * event. So one filter leads, the others are compared row by row, and times are found by bisection of ids.
 */
export interface By {
  column: "subjectId" | "actorId" | "action" | "network";
  value: string | null;
}

export type EventOrder = "newest first" | "oldest first";

// SQLite reads every event for both in one.
const ends = rowShape(
  {},
  {
    first: integer('COALESCE((SELECT min("id") FROM "AuditEvent"), 0)'),
    last: integer('COALESCE((SELECT max("id") FROM "AuditEvent"), 0)'),
  },
);
/** The lowest and the highest id; 0 without events. */
export const firstAndLast = () => ends.from`(SELECT 1) AS one`;

const position = rowShape({ e: "AuditEvent" }, { id: "e.id", at: "e.at" });
/** The first event from this id on. */
export const firstFrom = (from: number) => position.from`
  "AuditEvent" e WHERE e."id" >= ${from} ORDER BY e."id" LIMIT 1`;

const event = rowShape(
  { e: "AuditEvent" },
  {
    id: "e.id",
    at: "e.at",
    action: "e.action",
    subjectId: "e.subjectId",
    actorId: "e.actorId",
    detail: "e.detail",
    network: "e.network",
  },
);
export type EventRow = RowOf<typeof event>;

/**
 * The first events beyond an id in an index or, without one, of all; nearest first. PostgreSQL compares both columns
 * together and sorts by both, so it cannot prefer to walk along the primary key: that takes long for what has not
 * happened for a year. Nor does it read beyond the index's last event of this value.
 */
export function events(by: By | undefined, { from, order, limit }: { from: number; order: EventOrder; limit: number }) {
  const isNewestFirst = order === "newest first";
  const [direction, isBeyond] = [Prisma.raw(isNewestFirst ? "DESC" : "ASC"), Prisma.raw(isNewestFirst ? "<" : ">")];
  const isFurther = Prisma.sql`e."id" ${isBeyond} ${from}`;
  const last = Prisma.sql`ORDER BY e."id" ${direction} LIMIT ${limit}`;
  if (!by) return event.from`"AuditEvent" e WHERE ${isFurther} ${last}`;
  const column = Prisma.raw(`e."${by.column}"`);
  if (by.value === null) return event.from`"AuditEvent" e WHERE ${column} IS NULL AND ${isFurther} ${last}`;
  if (!env.DATABASE_URL) return event.from`"AuditEvent" e WHERE ${column} = ${by.value} AND ${isFurther} ${last}`;
  return event.from`"AuditEvent" e
    WHERE (${column}, e."id") ${isBeyond} (${by.value}, ${from})
      AND ${column} ${Prisma.raw(isNewestFirst ? ">=" : "<=")} ${by.value}
    ORDER BY ${column} ${direction}, e."id" ${direction} LIMIT ${limit}`;
}

const account = rowShape({ u: "User" }, { id: "u.id", username: "u.username" });
/** The accounts among these ids. */
export const accounts = (ids: Iterable<string>) => account.from`
  "User" u JOIN ${jsonRows([...ids].map((one) => [one]))} ON u."id" = "row"->>0`;

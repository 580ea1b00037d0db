import { Prisma } from "@/lib/db/client";
import { jsonRows } from "@/lib/db/json-rows";
import { integer, type RowOf, rowShape } from "@/lib/db/statement";
import { env } from "@/lib/env";

/** Ids between these two, without them. */
export interface Between {
  after: number;
  before: number;
}

/** The columns by whose indexes events are found: each index has the id as its second column. */
export type Finder = "subjectId" | "actorId" | "action" | "network";

/** An index, and the value to look for. Null finds events of nobody. */
export interface By {
  column: Finder;
  value: string | null;
}

export type EventOrder = "newest first" | "oldest first";

const column = (alias: "e" | "i", { column: name }: By) => Prisma.raw(`${alias}."${name}"`);

/**
 * The events in an index beyond an id, nearest first. Ends with the index's last of this value, so whoever asks for a
 * number of them reads no more. PostgreSQL compares both columns together and sorts by both, so it cannot prefer to
 * walk along the primary key: that takes long for what has not happened for a year. A comparison of both with another
 * end, like one of the id, would not stop it: it reads on to the last of the value, half a million of somebody busy.
 */
function beyond(alias: "e" | "i", by: By | undefined, from: number, order: EventOrder) {
  const [way, further] = order === "newest first" ? ["DESC", "<"] : ["ASC", ">"];
  const [id, direction, isBeyond] = [Prisma.raw(`${alias}."id"`), Prisma.raw(way), Prisma.raw(further)];
  const sorted = Prisma.sql`ORDER BY ${id} ${direction}`;
  const isFurther = Prisma.sql`${id} ${isBeyond} ${from}`;
  if (!by) return { where: isFurther, sorted };
  const found = column(alias, by);
  if (by.value === null) return { where: Prisma.sql`${found} IS NULL AND ${isFurther}`, sorted };
  if (!env.DATABASE_URL) return { where: Prisma.sql`${found} = ${by.value} AND ${isFurther}`, sorted };
  const end = Prisma.raw(order === "newest first" ? ">=" : "<=");
  return {
    where: Prisma.sql`(${found}, ${id}) ${isBeyond} (${by.value}, ${from}) AND ${found} ${end} ${by.value}`,
    sorted: Prisma.sql`ORDER BY ${found} ${direction}, ${id} ${direction}`,
  };
}

const id = rowShape({ e: "AuditEvent" }, { id: "e.id" });
/** The id of the n-th event of an index beyond an id; none if there are not so many. */
export const nthBeyond = (by: By, from: number, order: EventOrder, n: number) => {
  const { where, sorted } = beyond("e", by, from, order);
  return id.from`"AuditEvent" e WHERE ${where} ${sorted} LIMIT 1 OFFSET ${n - 1}`;
};

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

const place = rowShape({ e: "AuditEvent" }, { id: "e.id", at: "e.at" });
/** The first event from this id on. */
export const firstFrom = (from: number) => place.from`
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

/** What else must be true of an event that was found by one index. */
export interface Also {
  others: readonly By[];
  /** One of these; any, without them. */
  actions?: readonly string[];
  since?: Date;
  until?: Date;
}

/** The first events beyond an id in an index or, without one, of all. */
export const events = (by: By | undefined, from: number, order: EventOrder, limit: number) => {
  const { where, sorted } = beyond("e", by, from, order);
  return event.from`"AuditEvent" e WHERE ${where} ${sorted} LIMIT ${limit}`;
};

/** Those of the first `most` of an index beyond an id of which everything else is true. */
export const eventsAmong = (by: By, most: number, between: Between, also: Also, order: EventOrder, limit: number) => {
  const { after, before } = between;
  const { where, sorted } = beyond("i", by, order === "newest first" ? before : after, order);
  // In this order of joining: SQLite would begin with the events.
  return event.from`(SELECT i."id" FROM "AuditEvent" i WHERE ${where} ${sorted} LIMIT ${most}) AS first
    CROSS JOIN "AuditEvent" e WHERE e."id" = first."id" AND first."id" > ${after} AND first."id" < ${before}
      ${conditions(also)}
    ORDER BY e."id" ${Prisma.raw(order === "newest first" ? "DESC" : "ASC")} LIMIT ${limit}`;
};

/** Written so that no index is used for them: each would lead through all that matches it alone. */
function conditions({ others, actions, since, until }: Also): Prisma.Sql {
  const all = [
    ...others.map((by) =>
      by.value === null
        ? Prisma.sql`AND (${column("e", by)} || '') IS NULL`
        : Prisma.sql`AND ${column("e", by)} || '' = ${by.value}`,
    ),
    ...(actions ? [Prisma.sql`AND e."action" || '' IN (${Prisma.join([...actions])})`] : []),
    ...(since ? [Prisma.sql`AND e."at" >= ${since}`] : []),
    ...(until ? [Prisma.sql`AND e."at" <= ${until}`] : []),
  ];
  return all.length === 0 ? Prisma.empty : Prisma.join(all, " ");
}

const account = rowShape({ u: "User" }, { id: "u.id", username: "u.username" });
/** The accounts among these ids. */
export const accounts = (ids: Iterable<string>) => account.from`
  "User" u JOIN ${jsonRows([...ids].map((one) => [one]))} ON u."id" = "row"->>0`;

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

const column = ({ column: name }: By) => Prisma.raw(`e."${name}"`);
const direction = (order: EventOrder) => Prisma.raw(order === "newest first" ? "DESC" : "ASC");

const within = ({ after, before }: Between) => Prisma.sql`e."id" > ${after} AND e."id" < ${before}`;

/**
 * The events in an index. PostgreSQL compares both columns together and sorts by both, so it cannot prefer to walk
 * along the primary key: that takes long for what has not happened for a year. SQLite would use one end only.
 */
function found(by: By | undefined, between: Between, order: EventOrder): { where: Prisma.Sql; sorted: Prisma.Sql } {
  const way = direction(order);
  const sorted = Prisma.sql`ORDER BY e."id" ${way}`;
  if (!by) return { where: within(between), sorted };
  if (by.value === null) return { where: Prisma.sql`${column(by)} IS NULL AND ${within(between)}`, sorted };
  if (!env.DATABASE_URL) return { where: Prisma.sql`${column(by)} = ${by.value} AND ${within(between)}`, sorted };
  const { after, before } = between;
  return {
    where: Prisma.sql`(${column(by)}, e."id") > (${by.value}, ${after})
      AND (${column(by)}, e."id") < (${by.value}, ${before})`,
    sorted: Prisma.sql`ORDER BY ${column(by)} ${way}, e."id" ${way}`,
  };
}

const id = rowShape({ e: "AuditEvent" }, { id: "e.id" });
/** The id of the event after the first `skipped` of an index; none if there are not so many. */
export const idBeyond = (by: By, between: Between, order: EventOrder, skipped: number) => {
  const { where, sorted } = found(by, between, order);
  return id.from`"AuditEvent" e WHERE ${where} ${sorted} LIMIT 1 OFFSET ${skipped}`;
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

/** Events in an index or, without one, in the order of their ids. */
export const events = (by: By | undefined, between: Between, also: Also, order: EventOrder, limit: number) => {
  const { where, sorted } = found(by, between, order);
  return event.from`"AuditEvent" e WHERE ${where} ${conditions(also)} ${sorted} LIMIT ${limit}`;
};

/** Written so that no index is used for them: each would lead through all that matches it alone. */
function conditions({ others, actions, since, until }: Also): Prisma.Sql {
  const all = [
    ...others.map((by) =>
      by.value === null
        ? Prisma.sql`AND (${column(by)} || '') IS NULL`
        : Prisma.sql`AND ${column(by)} || '' = ${by.value}`,
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

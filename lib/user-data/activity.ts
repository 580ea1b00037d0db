import { OPERATOR } from "@/lib/platform/audit";
import { AUDIT_EVENTS, type AuditEventKind } from "@/lib/platform/audit-events";
import { db } from "@/lib/platform/db/client";
import { COUNTED } from "@/lib/platform/limits/events";
import { DAY_MS } from "@/lib/platform/time";

/** How far back it goes. */
export const ACTIVITY_DAYS = 90;
/** Events that one page reads of what the user did to anything, most of it to keys. */
const MAX_READ = 2_000;

/** What users did to things of their own that is about their account. */
const DONE = listedAs("done");
/** What happened to their account. */
const HAPPENED = listedAs("happened");

function listedAs(what: "done" | "happened"): string[] {
  const kinds = Object.entries<AuditEventKind>(AUDIT_EVENTS);
  return kinds.filter(([, { activity }]) => activity === what || activity === "both").map(([action]) => action);
}

export interface Activity {
  id: number;
  at: Date;
  action: string;
  /** Who did it, if not the user. */
  by: "operator" | "administrator" | null;
  detail: Record<string, string>;
}

/**
 * The events of an account in the last 90 days, newest first: at most `size`. `before` is an event's id: only older
 * ones. `next`: the same for the following page, null if there is none. A page can be short, and even empty, before the
 * last: it reads 2,000 events at most.
 */
export async function activityOf(
  userId: string,
  { size, before, now = new Date() }: { size: number; before?: number; now?: Date },
): Promise<{ events: Activity[]; next: number | null }> {
  const recent = { at: { gte: new Date(now.getTime() - ACTIVITY_DAYS * DAY_MS) }, id: { lt: before } };
  const newest = { orderBy: { id: "desc" as const } };
  const [happened, did] = await Promise.all([
    db.auditEvent.findMany({
      where: { ...recent, subjectId: userId, action: { in: HAPPENED } },
      ...newest,
      take: size + 1,
    }),
    db.auditEvent.findMany({ where: { ...recent, actorId: userId }, ...newest, take: MAX_READ }),
  ]);
  const last = did.length === MAX_READ ? did.at(-1)?.id : undefined;
  const matches = [...happened, ...did.filter(isOwn)]
    .filter(({ id }) => last === undefined || id >= last)
    .sort((one, other) => (one.id < other.id ? 1 : -1));
  const page = matches.slice(0, size);
  const next = matches.length > size ? page.at(-1)?.id : last;
  const events = page.map(({ id, at, action, actorId, detail }) => ({
    id: Number(id),
    at,
    action,
    by: actorId === OPERATOR ? ("operator" as const) : happenedBy(userId, actorId),
    detail: JSON.parse(detail),
  }));
  return { events, next: next === undefined ? null : Number(next) };
}

/**
 * What the user did to the own account, and how much more to anything: an administrator also removes tokens of others,
 * who are their subjects.
 */
const isOwn = ({ action, subjectId, detail }: { action: string; subjectId: string; detail: string }) =>
  subjectId === COUNTED || (DONE.includes(action) && !(action === "token.revoke" && "token" in JSON.parse(detail)));

/** What others do to an account, administrators do. Strangers who request a link by e-mail are nobody. */
const happenedBy = (userId: string, actorId: string | null) =>
  actorId === null || actorId === userId ? null : ("administrator" as const);

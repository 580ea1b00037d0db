import type { AuditAction } from "./audit-events";
import { db, type Statements } from "./db/client";
import { Insert, insert } from "./db/statement";
import { COUNTED, isOnlyCounted } from "./limits/events";

/** Subject of the events about proxies in front of the service. */
export const PROXIES = "proxies";

/** Subject of the events about backups. */
export const BACKUP = "backup";

/** Subject of the events about what concerns the whole service. */
export const SERVICE = "service";

/** The actor of the admin command. No user's id looks like this. */
export const OPERATOR = "operator";

export interface AuditEntry {
  at: Date;
  action: AuditAction;
  /** The key's, link's or user's id. */
  subjectId: string;
  /** The user who did it, or `OPERATOR`; null for a program that nobody signed in for. */
  actorId: string | null;
  /** Names of fields, usernames, networks, fields of keys that are no secret: never their data, a code or a token. */
  detail?: Record<string, string>;
  /** Recorded one by one however many there are: what an administrator does, who may change what is others'. */
  isAlways?: boolean;
}

/** The actor of an event, and in its detail the token of a program's own that the request came with. */
export function by(
  { id, role, accessToken: token }: { id: string; role?: string; accessToken?: { name: string } },
  detail: Record<string, string> = {},
): Pick<AuditEntry, "actorId" | "detail" | "isAlways"> {
  return { actorId: id, detail: token ? { ...detail, through: token.name } : detail, isAlways: role === "admin" };
}

/** Records who did what. In a transaction, it is recorded exactly if the change is committed. */
export async function audit(entry: AuditEntry, statements: Statements = db): Promise<void> {
  await auditAll([entry], statements);
}

/** The same as a statement of the second door. */
export function auditEvents(...entries: AuditEntry[]): Insert {
  const rows = rowsOf(entries);
  return rows.length > 0 ? insert("AuditEvent", rows) : NO_EVENTS;
}

const ADDS_NOTHING = ['INSERT INTO "AuditEvent" SELECT * FROM "AuditEvent" WHERE 1 = 0'];
/** In place of events that are only counted. */
const NO_EVENTS = new Insert({ strings: ADDS_NOTHING, when: () => ADDS_NOTHING }, [], true);

/** The same for many events, in their order. */
export async function auditAll(entries: AuditEntry[], statements: Statements): Promise<void> {
  const rows = rowsOf(entries);
  if (rows.length > 0) await statements.auditEvent.createMany({ data: rows });
}

/** The rows of events, without those of accounts that have used up their share of the day. */
function rowsOf(entries: AuditEntry[]) {
  return entries
    .filter(
      ({ actorId, action, at, isAlways }) =>
        isAlways || !actorId || actorId === OPERATOR || !isOnlyCounted({ actorId, action, at }),
    )
    .map(row);
}

function row({ at, action, subjectId, actorId, detail = {} }: AuditEntry) {
  return { at, action, subjectId, actorId, detail: JSON.stringify(detail), network: detail.network ?? null };
}

export interface AuditEvent {
  /** Increases with every event: changes of one key have the order of their commits. */
  id: number;
  at: Date;
  action: string;
  subjectId: string;
  actorId: string | null;
  /**
   * The actor's name, "operator" for the admin command; null if nobody was signed in, or the account no longer exists.
   */
  actor: string | null;
  detail: Record<string, string>;
}

interface TrailFilter {
  subjectId?: string;
  actorId?: string | { in: string[] };
  action?: AuditAction;
  since?: Date;
}

/** The names of actors by their ids, the operator's too, but for those whose account no longer exists. */
export async function namesOfActors(deeds: readonly { actorId: string | null }[]): Promise<Map<string, string>> {
  const actorIds = [...new Set(deeds.flatMap(({ actorId }) => actorId ?? []))];
  const actors = await db.user.findMany({ where: { id: { in: actorIds } }, select: { id: true, username: true } });
  return new Map([[OPERATOR, OPERATOR], ...actors.map(({ id, username }): [string, string] => [id, username])]);
}

/** The latest events that say how many more there were of what these users did, newest first. */
export const countedEvents = (actorIds: string[], limit: number) =>
  auditTrail({ actorId: { in: actorIds }, subjectId: COUNTED }, limit);

/**
 * The events of one subject or of one user, newest first; with neither, all events. `before` is an event's id: only
 * older ones.
 */
export async function auditTrail({ since, ...of }: TrailFilter, limit: number, before?: number): Promise<AuditEvent[]> {
  const events = await db.auditEvent.findMany({
    where: { ...of, at: { gte: since }, id: { lt: before } },
    orderBy: { id: "desc" },
    take: limit,
    omit: { network: true },
  });
  const names = await namesOfActors(events);
  return events.map((event) => ({
    ...event,
    id: Number(event.id),
    actor: event.actorId === null ? null : (names.get(event.actorId) ?? null),
    detail: JSON.parse(event.detail),
  }));
}

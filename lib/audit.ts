import { db, type Statements, sql, type Writes } from "./db/client";

export type AuditAction =
  | "key.create"
  | "key.update"
  | "key.add"
  | "key.revoke"
  | "key.delete"
  | "link.ask"
  | "link.enter"
  | "link.approve"
  | "link.deny"
  | "link.allow"
  | "link.disallow"
  | "link.collect"
  | "link.repeat"
  | "link.look"
  | "link.contest" // of earlier versions: another network knew the code
  | "link.refuse"
  | "token.rotate"
  | "account.delete"
  | "keys.lost"
  | "token.reveal"
  | "user.create"
  | "user.role"
  | "user.disable"
  | "user.enable"
  | "user.password"
  | "files.import"
  | "secrets.rotate"
  | "identities.claim"
  | "backup.restore"
  | "proxy.unnamed";

/** Subject of the events about what stands in front of the service. */
export const PROXIES = "proxies";

/** Who acts through the admin command. No user's id looks like this. */
export const OPERATOR = "operator";

export interface AuditEntry {
  at: Date;
  action: AuditAction;
  /** The key's, link's or user's id. */
  subjectId: string;
  /** The user who did it, or `OPERATOR`; null for a program that nobody signed in for. */
  actorId: string | null;
  /** Names of fields, usernames, networks: never a value, a code or a token. */
  detail?: Record<string, string>;
}

/** Writes down who did what. Given a transaction, it is written exactly when the change is. A SELECT, as `writeWith` wants it. */
export async function audit(entry: AuditEntry, statements: Writes = sql): Promise<void> {
  const { at, action, subjectId, actorId, detail } = row(entry);
  await statements.$executeRaw`
    INSERT INTO "AuditEvent" ("at", "action", "subjectId", "actorId", "detail") SELECT ${at}, ${action}, ${subjectId}, ${actorId}, ${detail}`;
}

/** The same for many events, in their order. */
export async function auditAll(entries: AuditEntry[], statements: Statements): Promise<void> {
  await statements.auditEvent.createMany({ data: entries.map(row) });
}

function row({ at, action, subjectId, actorId, detail = {} }: AuditEntry) {
  return { at, action, subjectId, actorId, detail: JSON.stringify(detail) };
}

export interface AuditEvent {
  /** Grows with every event: changes of one key have the order in which they were committed. */
  id: number;
  at: Date;
  action: string;
  subjectId: string;
  actorId: string | null;
  /** The name of who did it, "operator" for the admin command; null where nobody was signed in, or the account is gone. */
  actor: string | null;
  detail: Record<string, string>;
}

interface Asked {
  subjectId?: string;
  actorId?: string;
  action?: AuditAction;
  since?: Date;
}

/** What happened to one thing, or what one user did, newest first; with neither, everything. `before` is the id of an event: older ones only. */
export async function auditTrail({ since, ...of }: Asked, limit: number, before?: number): Promise<AuditEvent[]> {
  const events = await db.auditEvent.findMany({ where: { ...of, at: { gte: since }, id: { lt: before } }, orderBy: { id: "desc" }, take: limit });
  const actorIds = [...new Set(events.flatMap(({ actorId }) => actorId ?? []))];
  const actors = await db.user.findMany({ where: { id: { in: actorIds } }, select: { id: true, username: true } });
  const names = new Map([[OPERATOR, OPERATOR], ...actors.map(({ id, username }): [string, string] => [id, username])]);
  return events.map((event) => ({
    ...event,
    id: Number(event.id),
    actor: event.actorId === null ? null : (names.get(event.actorId) ?? null),
    detail: JSON.parse(event.detail),
  }));
}

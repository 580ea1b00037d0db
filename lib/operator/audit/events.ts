import { OPERATOR } from "@/lib/audit";
import { sql } from "@/lib/db/client";
import { accounts, type EventRow } from "./rows";

/** An event with the name of who did it. */
export interface AuditedEvent extends Omit<EventRow, "detail"> {
  /** "operator" for the admin command. Null: nobody was signed in, or the account is gone. */
  actor: string | null;
  detail: Record<string, string>;
}

/** The events with the names of the accounts that did them, as far as these still exist. */
export async function withActors(rows: readonly EventRow[]): Promise<AuditedEvent[]> {
  const names = await namesOf(rows.map(({ actorId }) => actorId));
  // Field by field: V8 moves a tenth of all copies by spread to where only a full collection finds them, so that the
  // memory of an export rises and falls by a hundred megabytes.
  return rows.map(({ id, at, action, subjectId, actorId, detail, network }) => ({
    id,
    at,
    action,
    subjectId,
    actorId,
    actor: actorId === null ? null : (names.get(actorId) ?? null),
    network,
    detail: JSON.parse(detail),
  }));
}

/** An event with the name of the account that it happened to; null if it happened to something else. */
export type NamedEvent = AuditedEvent & { subject: string | null };

/** The same, and the names of the accounts that they happened to. */
export async function withNames(rows: readonly EventRow[]): Promise<NamedEvent[]> {
  const names = await namesOf(rows.map(({ subjectId }) => subjectId));
  return (await withActors(rows)).map((event) => ({ ...event, subject: names.get(event.subjectId) ?? null }));
}

async function namesOf(ids: (string | null)[]): Promise<Map<string, string>> {
  const asked = new Set(ids.flatMap((id) => (id === null || id === OPERATOR ? [] : id)));
  const found = asked.size > 0 ? await sql.read(accounts(asked)) : [];
  return new Map([[OPERATOR, OPERATOR], ...found.map(({ id, username }): [string, string] => [id, username])]);
}

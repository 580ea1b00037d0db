import { namesOf } from "@/lib/audit";
import type { EventRow } from "./rows";

/** An event with the names of the accounts that it is about. */
export interface AuditedEvent extends Omit<EventRow, "detail"> {
  /** The name of who did it; "operator" for the admin command. Null: nobody was signed in, or the account is gone. */
  actor: string | null;
  /** The name of the account that it happened to, if it happened to one. */
  subject: string | null;
  detail: Record<string, string>;
}

/** The events with the names of the accounts that still exist. */
export async function withNames(rows: readonly EventRow[]): Promise<AuditedEvent[]> {
  const names = await namesOf(rows.flatMap(({ actorId, subjectId }) => [subjectId, ...(actorId ? [actorId] : [])]));
  return rows.map((row) => ({
    ...row,
    actor: row.actorId === null ? null : (names.get(row.actorId) ?? null),
    subject: names.get(row.subjectId) ?? null,
    detail: JSON.parse(row.detail),
  }));
}

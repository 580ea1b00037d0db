import { db, type Statements } from "./db/client";
import { newId } from "./ids";

export type AuditAction =
  | "key.create"
  | "key.update"
  | "key.add"
  | "key.revoke"
  | "key.delete"
  | "link.ask"
  | "link.approve"
  | "link.deny"
  | "link.collect"
  | "link.contest"
  | "link.refuse"
  | "token.rotate";

export interface AuditEntry {
  at: Date;
  action: AuditAction;
  /** The key's, link's or user's id. */
  subjectId: string;
  /** The user who did it; null for a program that nobody signed in for. */
  actorId: string | null;
  /** Names of fields, usernames, networks: never a value, a code or a token. */
  detail?: Record<string, string>;
}

/** Writes down who did what. Given a transaction, it is written exactly when the change is. */
export async function audit(entry: AuditEntry, statements: Statements = db): Promise<void> {
  await statements.auditEvent.create({
    data: {
      id: newId(),
      at: entry.at,
      action: entry.action,
      subjectId: entry.subjectId,
      actorId: entry.actorId,
      detail: JSON.stringify(entry.detail ?? {}),
    },
  });
}

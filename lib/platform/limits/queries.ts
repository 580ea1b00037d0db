import { integer, rowShape } from "../db/statement";

const recorded = rowShape({}, { count: integer("count(*)") });
/** How many events of this kind the account left since then, of its latest `read`. */
export const recordedSince = (
  { actorId, action }: { actorId: string; action: string },
  { since, read }: { since: Date; read: number },
) => recorded.from`
  (SELECT a."action", a."at" FROM "AuditEvent" a WHERE a."actorId" = ${actorId} ORDER BY a."id" DESC LIMIT ${read}) e
  WHERE e."action" = ${action} AND e."at" >= ${since}`;

import { auditTrail } from "@/lib/audit";
import { findUser } from "@/lib/auth/users";
import { keyNotFound } from "@/lib/errors";
import { type Given, UsageError } from "./usage";

const USUAL = 100;
const MOST = 10_000;

/**
 * Prints the last events as JSON lines, in the order of their commits: of one key, deleted or not, or what one user did, else of
 * everything. Throws a UsageError, and 404 `key_not_found` or `user_not_found` where there is nothing to tell of.
 */
export async function printTrail({ key, user, limit = String(USUAL) }: Given): Promise<undefined> {
  if (key !== undefined && user !== undefined) throw new UsageError("Name a key or a user, not both.");
  if (!/^[1-9]\d*$/.test(limit) || Number(limit) > MOST) throw new UsageError(`A limit is a whole number from 1 to ${MOST}.`);
  const actorId = user === undefined ? undefined : (await findUser(user)).id;
  const events = await auditTrail({ subjectId: key, actorId }, Number(limit));
  if (key !== undefined && events.length === 0) throw keyNotFound();
  for (const { at, action, subjectId, actor, actorId, detail } of events.reverse())
    console.log(JSON.stringify({ at, action, subject: subjectId, actor, actorId, detail }));
}

import { sql } from "@/lib/db/client";
import { rememberedCurrentKey } from "@/lib/sealing/user-keys";
import { dropOldest } from "@/lib/short-memory";
import type { Caller } from "@/lib/user";
import { findKey, keyInPath } from "./find";
import { asRecord, asUsers } from "./record";
import { holders, type RememberedCaller, updates } from "./rows";
import { type Change, type Changed, changeEvent, sealedNewData, updateKey } from "./update";

/** Creators who changed keys, about 300 bytes each. Forgetting one costs a query. */
const MOST_REMEMBERED = 10_000;

/** Changes the key, or says what came of it. */
type Make = (caller: Caller) => Promise<Changed>;

/** One per process, not per copy of this module. By the token's hash. */
const perProcess = globalThis as typeof globalThis & { latchkeyChangers?: Map<string, RememberedCaller> };

/**
 * The change of the key in the path, for `endpoint`. `found` throws 404 `key_not_found`. New data of a creator whom
 * this process remembers is written by a single statement, which also checks the caller; all else is read first.
 */
export const changeInPath = <Sent extends { id: string }>(changeOf: (sent: Sent) => Change | null) => ({
  async withCaller(tokenHash: string, sent: Sent) {
    const change = changeOf(sent);
    const done = change?.field === "data" ? await writeAtOnce(tokenHash, sent.id, change.value) : undefined;
    if (done) return { user: { ...done.caller, disabledAt: null }, found: (): Make => async () => done.answer };
    const { user, found } = await keyInPath.withCaller(tokenHash, sent);
    return {
      user,
      found(): Make {
        const row = found();
        return async (caller) => {
          const answer = await updateKey(caller, row, change);
          if (caller.id === row.creatorId) remember({ ...caller, tokenHash });
          return answer;
        };
      },
    };
  },
  async forCaller(known: Caller, sent: Sent): Promise<Make> {
    const row = await findKey(known, sent.id);
    return (caller) => updateKey(caller, row, changeOf(sent));
  },
});

/** Undefined if nothing was written, whatever the reason: the caller is not the creator, the data grew, all is new. */
async function writeAtOnce(
  tokenHash: string,
  id: string,
  data: string,
): Promise<{ caller: RememberedCaller; answer: Changed } | undefined> {
  const caller = perProcess.latchkeyChangers?.get(tokenHash);
  const key = caller && rememberedCurrentKey(caller.id);
  if (!key) return undefined;
  const now = new Date();
  const sealed = sealedNewData({ id, creatorId: caller.id }, data, key);
  const { written, found } = await sql.batchThenRead(
    [updates.dataByToken(id, sealed, caller, now), changeEvent(caller, id, { field: "data" }, now)],
    holders(id, now),
  );
  if (!written[0]) return undefined;
  remember(caller);
  const own = found.find((holder) => holder.id === caller.id) ?? { since: null, until: null };
  const row = { ...written[0], id, creatorId: caller.id, creator: caller.username, updatedAt: now };
  const { since, until } = own;
  const record = asRecord(caller, { ...row, since, until }, data, asUsers(found));
  return { caller, answer: { ...record, changed: true } };
}

function remember(caller: RememberedCaller): void {
  perProcess.latchkeyChangers ??= new Map();
  perProcess.latchkeyChangers.delete(caller.tokenHash);
  perProcess.latchkeyChangers.set(caller.tokenHash, caller);
  dropOldest(perProcess.latchkeyChangers, MOST_REMEMBERED);
}

import { createHash } from "node:crypto";
import { keyedHashes } from "../crypto/secrets";
import { db, type SqlTransaction, type Statements, sql } from "../db/client";
import { isUniqueViolation } from "../db/errors";
import { deleteInBatches } from "../db/lock";
import { insert } from "../db/statement";
import { ApiError, rateLimited, requestConflict } from "../errors";
import { dropOldest, perProcess } from "../process";
import { DAY_MS, later, latestNow } from "../time";
import { resultsOf, storedResult } from "./queries";

/** A user's results that are stored at a time. */
export const MAX_RESULTS = 100_000;
/** So many more of their pages: a program that uses up the others keeps nobody from changing something there. */
export const ROOM_OF_PAGES = 10_000;
/** They are counted when this part of the room that was left may be used up, so hardly ever. */
const PART_OF_ROOM = 16;

/** A request that takes effect once, however often it is sent (contract, section 1: request). */
export interface NamedRequest {
  idHash: string;
  /** What it is, under each secret. */
  fingerprints: [string, ...string[]];
  /** Sent by a page, not by a program. */
  isOfPage?: boolean;
}

/** Who changes something, and as which request. */
interface User {
  id: string;
  request?: NamedRequest;
}

/** The request that its client calls `id`. `what` is its route or action, with its parameters. */
export function namedRequest(id: string, what: unknown): NamedRequest {
  return {
    idHash: createHash("sha256").update(id).digest("hex"),
    // Keyed: with a plain hash, a stolen database would confirm guesses of a key's data.
    fingerprints: keyedHashes("requests", JSON.stringify(what)),
  };
}

/**
 * Runs `change`, unless the caller's request did before: then returns what it came to. `change` must store that, by
 * `writeResult` or `keepResult`, in the transaction that has the effect. Of simultaneous repeats, one has an effect:
 * the others wait. Throws 409 `request_conflict` for another request under the same id, 429 `rate_limited` once
 * the user has `MAX_RESULTS`, from a page with `ROOM_OF_PAGES` more, and as `change` does: a refusal is not remembered.
 */
export async function once<Result>(
  user: User,
  change: () => Promise<Result>,
  now = new Date(),
): Promise<{ result: Result; isRepeat: boolean }> {
  const earlier = await findResult<Result>(user, now);
  if (earlier) return earlier;
  if (user.request) await requireRoom(user.id, user.request, now);
  try {
    return { result: await change(), isRepeat: false };
  } catch (error) {
    // The one that was first may be why this one failed: the key is deleted, or the quota used up.
    const first =
      isUniqueViolation(error) || error instanceof ApiError ? await findResult<Result>(user, now) : undefined;
    if (first) return first;
    throw error;
  }
}

async function findResult<Result>({ id: userId, request }: User, now: Date) {
  if (!request) return undefined;
  const [row] = await sql.readQuickly(storedResult(userId, request.idHash));
  if (!row) return undefined;
  if (row.at <= later(now, -DAY_MS)) {
    await db.requestResult.deleteMany({ where: { userId, idHash: request.idHash, at: { lte: later(now, -DAY_MS) } } });
    return undefined;
  }
  if (!request.fingerprints.includes(row.fingerprint)) throw requestConflict();
  return { result: JSON.parse(row.result) as Result, isRepeat: true };
}

interface Room {
  /** How many more requests this process lets through before it counts again. */
  left: number;
  /** Until then, by `performance.now()`, this refusal stands. */
  refusal?: ApiError;
  until: number;
}

const rooms = perProcess("room for results", () => new Map<string, Room>());
const MAX_ROOMS = 10_000;
const REFUSED_FOR_MS = 10_000;

async function requireRoom(userId: string, { isOfPage = false }: NamedRequest, now: Date): Promise<void> {
  const key = isOfPage ? `${userId} pages` : userId;
  const room = rooms.get(key);
  if (room?.refusal && room.until > performance.now()) throw room.refusal;
  if (room && room.left-- > 0) return;
  const [counted] = await sql.read(resultsOf(userId));
  const left = MAX_RESULTS + (isOfPage ? ROOM_OF_PAGES : 0) - (counted?.total ?? 0);
  const refusal = left > 0 ? undefined : await tooMany(userId, isOfPage, now);
  rooms.delete(key);
  rooms.set(key, { left: Math.floor(left / PART_OF_ROOM), refusal, until: performance.now() + REFUSED_FOR_MS });
  dropOldest(rooms, MAX_ROOMS);
  if (refusal) throw refusal;
}

async function tooMany(userId: string, isOfPage: boolean, now: Date): Promise<ApiError> {
  const oldest = await db.requestResult.findFirst({ where: { userId }, select: { at: true }, orderBy: { at: "asc" } });
  const ms = later(oldest?.at ?? now, DAY_MS).getTime() - now.getTime();
  return rateLimited(
    Math.min(ms, DAY_MS) / 1_000,
    isOfPage
      ? "These are more changes than a user can make in a day on the pages. Try again later."
      : `A user can send ${MAX_RESULTS.toLocaleString("en")} requests with the parameter request in a day. Try again ` +
          "later, or without it.",
  );
}

/** Stores what a change came to, without secrets, in its transaction. Nothing if its request has no id. */
export async function writeResult(tx: SqlTransaction, user: User, { result, at }: { result: unknown; at: Date }) {
  const row = rowOf(user, result, at);
  if (row) await tx.write(insert("RequestResult", row));
}

/** The same in a transaction of Prisma's client. */
export async function keepResult(tx: Statements, user: User, { result, at }: { result: unknown; at: Date }) {
  const row = rowOf(user, result, at);
  if (row) await tx.requestResult.create({ data: row });
}

function rowOf({ id: userId, request }: User, result: unknown, at: Date) {
  if (!request) return undefined;
  const { idHash, fingerprints } = request;
  return { userId, idHash, fingerprint: fingerprints[0], result: JSON.stringify(result ?? null), at };
}

/** Deletes the results of requests of more than a day ago. Returns how many. */
export async function sweepResults(now = new Date()): Promise<number> {
  // From before the clock was set back: how long ago is unknown, so the day begins anew.
  await db.requestResult.updateMany({ where: { at: { gt: latestNow(now) } }, data: { at: now } });
  return deleteInBatches((tx, limit) =>
    tx.requestResult.deleteMany({ where: { at: { lte: later(now, -DAY_MS) } }, limit }),
  );
}

/** Deletes those of this user, in small statements: the one that deletes the user would delete them all at once. */
export const deleteResultsOf = (userId: string): Promise<number> =>
  deleteInBatches((tx, limit) => tx.requestResult.deleteMany({ where: { userId }, limit }));

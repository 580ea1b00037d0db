import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { auditEvents, OPERATOR, SERVICE } from "../audit";
import { lostConnections, sql } from "../db/client";
import type { Sql } from "../db/sql";
import { perProcess } from "../process";
import { addDataKey, dataKeyById, dataKeys, newestDataKey, rewrapDataKey } from "./queries";
import { derivedKeys, openWithAny, sealBytes } from "./secrets";

/** What is remembered, and how many connections had been lost when it was empty. */
interface Memory<Contents> {
  contents: Contents;
  lostConnections: number;
}

const all = perProcess("keys in memory", () => new Map<string, Memory<unknown>>());

/**
 * What this process remembers of the keys in the database. It is empty again after a connection was lost: the database
 * may be another one, with other keys. So whoever reads a key gets `contents` before, to store it there.
 */
export class KeyMemory<Contents> {
  constructor(
    private readonly name: string,
    private readonly empty: () => Contents,
  ) {}

  contents(): Contents {
    const lost = lostConnections();
    const memory = all.get(this.name);
    if (memory?.lostConnections === lost) return memory.contents as Contents;
    const contents = this.empty();
    all.set(this.name, { contents, lostConnections: lost });
    return contents;
  }

  /** Call it after a change of these keys. */
  forget(): void {
    all.delete(this.name);
  }
}

/** 256 bits. */
const KEY_BYTES = 32;
/** Another process may have added a data key: until then, what this one seals is resealed once more. */
const READ_AGAIN_AFTER_MS = 60_000;

/** Where keys are read from: the database, or the transaction that must see the same. */
export type Reader = Pick<Sql, "read">;

export interface DataKey {
  id: number;
  key: KeyObject;
}

interface CachedKeys {
  byId: Map<number, KeyObject>;
  newest?: DataKey;
  /** By `performance.now()`. */
  readAt: number;
}

const memory = new KeyMemory<CachedKeys>("data keys", () => ({ byId: new Map(), readAt: 0 }));

/** Call it after a change of the data keys. */
export const forgetDataKeys = () => memory.forget();

const contextOf = (id: number) => `data key ${id}`;

/** A new key of 256 random bits. */
export const newKeyBytes = () => randomBytes(KEY_BYTES);

interface StoredKey {
  id: number;
  wrapped: Uint8Array;
}

/** The stored form of a data key, under the first secret. */
function wrapDataKey(id: number, bytes: Uint8Array): Buffer<ArrayBuffer> {
  return sealBytes(derivedKeys("data keys")[0], bytes, contextOf(id));
}

/** The bytes of a stored data key. Undefined if no secret opens it. */
function unwrapped({ id, wrapped }: StoredKey): Buffer | undefined {
  try {
    return openWithAny("data keys", wrapped, contextOf(id));
  } catch {
    return undefined;
  }
}

/** The data key that wraps new keys of users. Creates the first one. Throws if no secret opens it. */
export async function currentDataKey(): Promise<DataKey> {
  const cached = memory.contents();
  const { newest, readAt } = cached;
  if (newest && performance.now() - readAt < READ_AGAIN_AFTER_MS) return newest;
  const stored = (await sql.read(newestDataKey()))[0] ?? (await addFirst());
  const key = remember(cached, stored);
  if (!key) throw new Error(`None of the secrets opens the data key ${stored.id}.`);
  const current = { id: stored.id, key };
  Object.assign(cached, { newest: current, readAt: performance.now() });
  return current;
}

/** The data key with this id. Undefined if it is missing, or no secret opens it: with its secret it comes back. */
export async function dataKey(id: number, from: Reader = sql): Promise<KeyObject | undefined> {
  const cached = memory.contents();
  const remembered = cached.byId.get(id);
  if (remembered) return remembered;
  const [stored] = await from.read(dataKeyById(id));
  return stored && remember(cached, stored);
}

/** Several processes may start on a new database: the first row stays. */
async function addFirst(): Promise<StoredKey> {
  await sql.batch([addDataKey(1, wrapDataKey(1, newKeyBytes()), new Date())]);
  const [stored] = await sql.read(newestDataKey());
  if (!stored) throw new Error("The data key could not be stored.");
  return stored;
}

function remember({ byId }: CachedKeys, stored: StoredKey): KeyObject | undefined {
  const bytes = byId.has(stored.id) ? undefined : unwrapped(stored);
  if (bytes) byId.set(stored.id, createSecretKey(bytes));
  return byId.get(stored.id);
}

/**
 * Creates the data key that follows the one with this id, unless another process just has. Returns whether it was
 * created here.
 */
export async function addDataKeyAfter(id: number, now: Date): Promise<boolean> {
  const next = id + 1;
  const event = { at: now, action: "data.rotate", subjectId: SERVICE, actorId: OPERATOR } as const;
  const isNew = await sql.write(async (tx) => {
    const added = await tx.write(addDataKey(next, wrapDataKey(next, newKeyBytes()), now));
    if (added > 0) await tx.write(auditEvents({ ...event, detail: { which: String(next) } }));
    return added > 0;
  });
  forgetDataKeys();
  return isNew;
}

/** The ids of data keys that some secret opens, and of those that none does. */
export async function openableDataKeys(): Promise<{ open: number[]; lost: number[] }> {
  const ids: { open: number[]; lost: number[] } = { open: [], lost: [] };
  for (const row of await sql.read(dataKeys())) (unwrapped(row) ? ids.open : ids.lost).push(row.id);
  return ids;
}

/** Whether a secret opens the data key that is in use: true if there is none yet. */
export async function opensNewestDataKey(): Promise<boolean> {
  const [newest] = await sql.read(newestDataKey());
  return !newest || unwrapped(newest) !== undefined;
}

/**
 * Stores the data keys under the first secret; what they seal stays as it is. If no secret opens the newest one, it is
 * an Error, or with `acceptLoss` a new one is created, so that users can store something again. Those that no secret
 * opens stay as they are: with their secret they open again. Returns the ids of both.
 */
export async function rotateDataKeys(acceptLoss: boolean, now: Date): Promise<{ open: number[]; lost: number[] }> {
  const { open, lost } = await openableDataKeys();
  const newest = Math.max(0, ...open, ...lost);
  if (lost.includes(newest) && !acceptLoss)
    throw new Error(`None of the secrets opens the data key ${newest}, with which everything is sealed.`);
  for (const row of await sql.read(dataKeys())) {
    const bytes = unwrapped(row);
    if (bytes) await sql.batch([rewrapDataKey(row.id, wrapDataKey(row.id, bytes))]);
  }
  if (lost.includes(newest)) await addDataKeyAfter(newest, now);
  forgetDataKeys();
  return { open, lost };
}

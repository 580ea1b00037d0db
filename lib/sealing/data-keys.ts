import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { sealBytes } from "@/lib/aes-gcm";
import { sql } from "@/lib/db/client";
import type { Sql } from "@/lib/db/sql";
import { derivedKeys, openWithAny } from "@/lib/secrets";
import { KeyMemory } from "./memory";
import { addDataKey, dataKeyById, newestDataKey } from "./rows";

/** 256 bits. */
const KEY_BYTES = 32;
/** Another process may have added a data key: until then, what this one seals is resealed once more. */
const ASK_AGAIN_AFTER_MS = 60_000;

/** Where keys are read from: the database, or the transaction that must see the same. */
export type Reader = Pick<Sql, "read">;

export interface DataKey {
  id: number;
  key: KeyObject;
}

interface Known {
  byId: Map<number, KeyObject>;
  newest?: DataKey;
  /** By `performance.now()`. */
  askedAt: number;
}

const memory = new KeyMemory<Known>("data keys", () => ({ byId: new Map(), askedAt: 0 }));

/** Call it after a change of the data keys. */
export const forgetDataKeys = () => memory.forget();

const contextOf = (id: number) => `data key ${id}`;

/** A new key of 256 random bits. */
export const newKeyBytes = () => randomBytes(KEY_BYTES);

/** The stored form of a data key, under the first secret. */
export function wrapDataKey(id: number, bytes: Uint8Array): Buffer<ArrayBuffer> {
  return sealBytes(derivedKeys("data keys")[0], bytes, contextOf(id));
}

/** The bytes of a stored data key. Throws if no secret opens it. */
export function unwrapDataKey({ id, wrapped }: { id: number; wrapped: Uint8Array }): Buffer {
  return openWithAny("data keys", wrapped, contextOf(id));
}

/** The data key that wraps new keys of users. Creates the first one. Throws if no secret opens it. */
export async function currentDataKey(): Promise<DataKey> {
  const known = memory.known();
  const { newest, askedAt } = known;
  if (newest && performance.now() - askedAt < ASK_AGAIN_AFTER_MS) return newest;
  const stored = (await sql.read(newestDataKey()))[0] ?? (await addFirst());
  const current = { id: stored.id, key: remember(known, stored) };
  Object.assign(known, { newest: current, askedAt: performance.now() });
  return current;
}

/** No secret opens a data key. With the secret it comes back. */
export class LostDataKey extends Error {
  override name = "LostDataKey";
}

/** The data key with this id. Throws `LostDataKey` if it is missing, or no secret opens it. */
export async function dataKey(id: number, from: Reader = sql): Promise<KeyObject> {
  const known = memory.known();
  const remembered = known.byId.get(id);
  if (remembered) return remembered;
  const [stored] = await from.read(dataKeyById(id));
  if (!stored) throw new LostDataKey(`The data key ${id} is missing.`);
  return remember(known, stored);
}

/** The same. Undefined if it is lost. */
export async function dataKeyUnlessLost(id: number, from: Reader = sql): Promise<KeyObject | undefined> {
  try {
    return await dataKey(id, from);
  } catch (error) {
    if (error instanceof LostDataKey) return undefined;
    throw error;
  }
}

/** Several processes may start on a new database: the first row stays. */
async function addFirst(): Promise<{ id: number; wrapped: Uint8Array }> {
  await sql.batch([addDataKey(1, wrapDataKey(1, newKeyBytes()), new Date())]);
  const [stored] = await sql.read(newestDataKey());
  if (!stored) throw new Error("The data key could not be stored.");
  return stored;
}

function remember({ byId }: Known, stored: { id: number; wrapped: Uint8Array }): KeyObject {
  const existing = byId.get(stored.id);
  if (existing) return existing;
  const key = opened(stored);
  byId.set(stored.id, key);
  return key;
}

function opened(stored: { id: number; wrapped: Uint8Array }): KeyObject {
  try {
    return createSecretKey(unwrapDataKey(stored));
  } catch (cause) {
    throw new LostDataKey(`None of the secrets opens the data key ${stored.id}.`, { cause });
  }
}

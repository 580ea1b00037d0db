import type { Sort } from "./order";

/** Longer ones are not ours: a date, a number and a name have less. */
const LONGEST = 200;
/** What the columns of both databases can hold. */
const MOST: Record<Exclude<Sort, "name">, number> = {
  created: Date.UTC(9999, 0),
  seen: Date.UTC(9999, 0),
  keys: 0x7fffffff,
  bytes: Number.MAX_SAFE_INTEGER,
};

/** The place of a user in a list, for an address. */
export function writePlace(place: readonly unknown[]): string {
  const plain = place.map((value) =>
    value instanceof Date ? value.getTime() : value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  );
  return Buffer.from(JSON.stringify(plain)).toString("base64url");
}

/** The same, read back. Undefined for anything that is no place in a list sorted this way. */
export function readPlace(written: string | undefined, sort: Sort): unknown[] | undefined {
  if (written === undefined || written.length > LONGEST) return undefined;
  const place = parsed(Buffer.from(written, "base64url").toString());
  if (!Array.isArray(place) || place.length !== (sort === "name" ? 1 : 2)) return undefined;
  const name: unknown = place.at(-1);
  if (typeof name !== "string" || !/^[a-z0-9_-]{1,20}$/.test(name)) return undefined;
  const key = Buffer.from(name);
  if (sort === "name") return [key];
  const value: unknown = place[0];
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0 || value > MOST[sort]) return undefined;
  return [sort === "keys" || sort === "bytes" ? value : new Date(value), key];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

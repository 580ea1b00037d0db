import { env } from "@/lib/platform/env";

/**
 * SQL expressions of the seed's statements, of which every value is computed from the row's number `n`. So the rows of
 * one table know those of another without reading them.
 */
const isPostgres = Boolean(env.DATABASE_URL);

const hexOf = (expression: string, digits: number) =>
  isPostgres ? `lpad(to_hex((${expression})::bigint), ${digits}, '0')` : `printf('%0${digits}x', ${expression})`;

/** Odd multipliers: each maps the numbers below 2^32 to one another, so ids are in no order, as random ones are. */
const SCATTER = {
  user: 2_654_435_761,
  key: 2_246_822_519,
  link: 3_266_489_917,
  session: 668_265_263,
  token: 374_761_393,
  piece: 2_971_215_073,
} as const;

export const idOf = (kind: keyof typeof SCATTER, n: string) =>
  `${hexOf(`((${n}) * ${SCATTER[kind]}) % 4294967296`, 8)} || ${hexOf(n, 24)}`;

export function idIn(kind: keyof typeof SCATTER, n: number): string {
  const scattered = (BigInt(n) * BigInt(SCATTER[kind])) % 4_294_967_296n;
  return scattered.toString(16).padStart(8, "0") + n.toString(16).padStart(24, "0");
}

const digits = (n: string) =>
  isPostgres ? `lpad((${n})::text, greatest(7, length((${n})::text)), '0')` : `printf('%07d', ${n})`;

export const nameOf = (n: string) => `'user-' || ${digits(n)}`;
export const nameIn = (n: number) => `user-${String(n).padStart(7, "0")}`;

export const networkOf = (n: string) =>
  `'198.' || (18 + (${n}) % 2) || '.' || ((${n}) / 7 % 250) || '.' || ((${n}) / 3 % 250)`;

export const timeOf = (ms: string) => (isPostgres ? `to_timestamp((${ms}) / 1000.0) AT TIME ZONE 'UTC'` : `(${ms})`);

export const numbers = (from: number, to: number) =>
  isPostgres
    ? `generate_series(${from}::bigint, ${to}::bigint) AS series(n)`
    : `(WITH RECURSIVE s(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM s WHERE n < ${to}) SELECT n FROM s)`;

export interface Size {
  users: number;
  keys: number;
  events: number;
}

export type Spread = Size & { begin: number; span: number };

/** The statement for the rows with these numbers. */
export type Rows = (size: Spread, from: number, to: number) => string;

import { db, type Statements } from "../db/client";
import { env } from "../env";

/** What a user can have at most. */
export interface Quotas {
  /** Keys that the user creates, and the bytes of their data in all. */
  keys: number;
  keyBytes: number;
  /** The bytes of the stored document, and its files and folders. */
  fileBytes: number;
  entries: number;
}

export type QuotaName = keyof Quotas;

/** The quotas as they are stored with a user. Null: the setting's. */
type Own = Record<(typeof COLUMNS)[QuotaName], number | bigint | null>;

/** The column of User for each quota, in the order that people see. */
const COLUMNS = {
  keys: "mostKeys",
  keyBytes: "mostKeyBytes",
  fileBytes: "mostFileBytes",
  entries: "mostEntries",
} as const;

export const QUOTA_NAMES = Object.keys(COLUMNS) as QuotaName[];

/** What to select of a user for `quotasOf` and `ownQuotasOf`. */
export const QUOTA_COLUMNS = { mostKeys: true, mostKeyBytes: true, mostFileBytes: true, mostEntries: true } as const;

/** The quotas of users without their own. */
export const settingQuotas = (): Quotas => ({
  keys: env.KEYS_PER_CREATOR,
  keyBytes: env.KEY_BYTES_PER_CREATOR,
  fileBytes: env.FILE_BYTES_PER_USER,
  entries: env.FILE_ENTRIES_PER_USER,
});

const each = <Value>(of: (name: QuotaName) => Value) =>
  Object.fromEntries(QUOTA_NAMES.map((name) => [name, of(name)])) as Record<QuotaName, Value>;

/** The user's own quotas. Null: the setting's. */
export const ownQuotasOf = (row: Own): Record<QuotaName, number | null> =>
  each((name) => (row[COLUMNS[name]] === null ? null : Number(row[COLUMNS[name]])));

/** What holds for the user: the own quota, or else the setting. */
export function quotasOf(row: Own): Quotas {
  const [own, setting] = [ownQuotasOf(row), settingQuotas()];
  return each((name) => own[name] ?? setting[name]);
}

/** The same, read from the database. */
export async function findQuotas(userId: string, statements: Statements = db): Promise<Quotas> {
  return quotasOf(await statements.user.findUniqueOrThrow({ where: { id: userId }, select: QUOTA_COLUMNS }));
}

/** These quotas as columns of User. */
export function quotaColumns(
  quotas: Partial<Record<QuotaName, number | null>>,
): Partial<Record<(typeof COLUMNS)[QuotaName], number | null>> {
  return Object.fromEntries(Object.entries(quotas).map(([name, quota]) => [COLUMNS[name as QuotaName], quota]));
}

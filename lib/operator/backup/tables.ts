import { tables as models } from "@/prisma/generated/tables";

export interface Column {
  name: string;
  kind: "String" | "Int" | "BigInt" | "Float" | "Boolean" | "DateTime" | "Bytes";
  isOptional: boolean;
  /** The database increments it by itself. */
  isCounted: boolean;
}

export interface Table {
  name: string;
  columns: Column[];
}

/**
 * Counters that are worthless a few minutes later, messages that would be sent once more, what the doctor found in
 * another database, and what migrations write themselves.
 */
const NOT_IN_BACKUPS = ["RateLimit", "Mail", "Examination", "Format"];

/** Columns of earlier versions' backups that a migration has since removed: each with its kind; "?": may be null. */
const FORMER: Record<string, string> = {
  Statistic:
    "span String, at DateTime, signIns Int, signUps Int, asked Int, linked Int, denied Int, expired Int, users Int?, " +
    "keys Int?, keyBytes BigInt?, fileBytes BigInt?",
  Refusal: "span String, at DateTime, limit String, count BigInt",
  StatisticsMark: "id String, eventId BigInt, linksFrom DateTime?, measuredAt DateTime?",
  UserSummarySweep: "id String, filledTo String?, eventId BigInt, publishedAt DateTime, sweptAt DateTime?",
};

const formerColumns = (table: string): Column[] =>
  [...(FORMER[table] ?? "").matchAll(/(\w+) (\w+)(\??)/g)].map(([, name = "", kind, optional]) => ({
    name,
    kind: kind as Column["kind"],
    isOptional: optional === "?",
    isCounted: false,
  }));

/** The names of all tables of this and earlier versions, kept in a backup or not. */
export const tableNames: string[] = [...new Set([...models.map(({ name }) => name), ...Object.keys(FORMER)])];

/** The table of this name that a backup of this or an earlier version may have, with all columns of both. */
export function tableOfBackups(name: unknown): Table | undefined {
  if (typeof name !== "string" || !tableNames.includes(name) || NOT_IN_BACKUPS.includes(name)) return undefined;
  const columns = models.find((model) => model.name === name)?.columns ?? [];
  return { name, columns: [...columns, ...formerColumns(name)] };
}

/** Every table of the models that a backup keeps, each after the tables it refers to. */
export function tables(): Table[] {
  const ordered: Table[] = [];
  const add = ({ name, columns, needs }: (typeof models)[number]) => {
    if (ordered.some((table) => table.name === name)) return;
    for (const needed of models) if (needed.name !== name && needs.includes(needed.name)) add(needed);
    ordered.push({ name, columns });
  };
  for (const model of models) if (!NOT_IN_BACKUPS.includes(model.name)) add(model);
  return ordered;
}

/** A value as stored in a backup. */
export type Plain = string | number | boolean | null;

/** A driver's value, of either database, in one common form. */
export function toPlain(value: unknown, kind: Column["kind"]): Plain {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case "DateTime":
      return value instanceof Date ? value.getTime() : Number(value);
    case "Bytes":
      return Buffer.from(value as Uint8Array).toString("base64");
    case "BigInt":
      return String(value);
    case "Boolean":
      return Boolean(value);
    case "String":
      return String(value);
    default:
      return Number(value);
  }
}

const LAST_DATE = 8.64e15;

/** Whether a value from a backup is valid for this column. */
export function isPlain(value: unknown, { kind, isOptional }: Column): value is Plain {
  if (value === null) return isOptional;
  switch (kind) {
    case "Boolean":
      return typeof value === "boolean";
    case "Int":
      return typeof value === "number" && (value | 0) === value;
    case "Float":
      return typeof value === "number";
    case "DateTime":
      return typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= LAST_DATE;
    case "BigInt":
      return (
        typeof value === "string" && /^-?\d{1,19}$/.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value)
      );
    case "Bytes":
      return typeof value === "string" && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
    default:
      return typeof value === "string";
  }
}

/** Converts it back for the driver of a database. */
export function fromPlain(value: Plain, kind: Column["kind"], provider: "sqlite" | "postgresql"): unknown {
  if (value === null) return null;
  if (kind === "Bytes") return Buffer.from(String(value), "base64");
  if (provider === "postgresql")
    return kind === "DateTime" ? new Date(Number(value)).toISOString().replace("Z", "") : value;
  if (kind === "BigInt") return BigInt(value);
  return kind === "Boolean" ? Number(value) : value;
}

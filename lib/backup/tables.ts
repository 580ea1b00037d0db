import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const KINDS = ["String", "Int", "BigInt", "Float", "Boolean", "DateTime", "Bytes"] as const;

export interface Column {
  name: string;
  kind: (typeof KINDS)[number];
  isOptional: boolean;
  /** The database counts it up by itself. */
  isCounted: boolean;
}

export interface Table {
  name: string;
  columns: Column[];
}

/** Counters that are worth nothing a few minutes later. */
const NOT_KEPT = ["RateLimit"];

/** Columns that backups of earlier versions have, and a migration has taken away since. */
const FORMER: Record<string, Column[]> = { FileEntry: [{ name: "entryKey", kind: "String", isOptional: false, isCounted: false }] };

/** Every table of the models but counters of limits, each after those that its rows refer to. */
export function tables(which?: "former columns too"): Table[] {
  const models = readFileSync(resolve("prisma/schema.prisma"), "utf8");
  const parsed = [...models.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name = "", body = ""]) => ({ name, ...parse(body) }));
  const ordered: Table[] = [];
  const place = (name: string) => {
    const found = parsed.find((table) => table.name === name);
    if (!found || ordered.some((table) => table.name === name)) return;
    for (const needed of found.needs) if (needed !== name) place(needed);
    ordered.push({ name, columns: [...found.columns, ...((which && FORMER[name]) ?? [])] });
  };
  for (const { name } of parsed) if (!NOT_KEPT.includes(name)) place(name);
  return ordered;
}

function parse(body: string): { columns: Column[]; needs: string[] } {
  const columns: Column[] = [];
  const needs: string[] = [];
  for (const [, name = "", type = "", mark, attributes = ""] of body.matchAll(/^ +(\w+) +(\w+)(\?|\[\])?(.*)$/gm)) {
    const kind = KINDS.find((one) => one === type);
    if (kind) columns.push({ name, kind, isOptional: mark === "?", isCounted: attributes.includes("autoincrement()") });
    else if (attributes.includes("@relation(fields:")) needs.push(type);
  }
  return { columns, needs };
}

/** A value as it stands in a backup. */
export type Plain = string | number | boolean | null;

/** What a driver read, of either database, in one form. */
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

/** Whether a value that stands in a backup is one of this column. */
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
      return typeof value === "string" && /^-?\d{1,19}$/.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value);
    case "Bytes":
      return typeof value === "string" && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
    default:
      return typeof value === "string";
  }
}

/** The same for the driver of a database. */
export function fromPlain(value: Plain, kind: Column["kind"], provider: "sqlite" | "postgresql"): unknown {
  if (value === null) return null;
  if (kind === "Bytes") return Buffer.from(String(value), "base64");
  if (provider === "postgresql") return kind === "DateTime" ? new Date(Number(value)).toISOString().replace("Z", "") : value;
  if (kind === "BigInt") return BigInt(value);
  return kind === "Boolean" ? Number(value) : value;
}

import Database from "better-sqlite3";
import { Client } from "pg";
import { textMaker } from "@/lib/platform/db/sql";
import type { Statement } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";

export interface Access {
  table: string;
  /** The index, named alike on both databases; null if it reads the table from its beginning to its end. */
  index: string | null;
  /** Whether the index is searched for a value, or for a range; otherwise it is read along. */
  isSearched: boolean;
}

export interface Explainer {
  accessesOf(statement: Statement): Promise<Access[]>;
  isSorting(statement: Statement): Promise<boolean>;
  /** Runs it, and returns how many rows were looked at; undefined on SQLite, which does not tell. */
  rowsLookedAt(statement: Statement): Promise<number | undefined>;
  close(): Promise<void>;
}

/**
 * An explainer of the configured database. PostgreSQL scans small tables: with "what indexes allow" it avoids that, and
 * otherwise it chooses by the rows that are there.
 */
export const openExplainer = (as: "what indexes allow" | "chosen by rows"): Promise<Explainer> =>
  env.DATABASE_URL ? openPostgres(as === "what indexes allow") : openSqlite();

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Plan[];
}

async function openPostgres(isWithoutScans: boolean): Promise<Explainer> {
  const textOf = textMaker((n) => `$${n}`);
  const client = new Client(env.DATABASE_URL);
  await client.connect();
  await client.query("BEGIN; SET LOCAL enable_bitmapscan = off");
  if (isWithoutScans) await client.query("SET LOCAL enable_seqscan = off");
  const planOf = async (statement: Statement, options: string): Promise<Plan[]> => {
    const values = statement.values.map((value) => (value instanceof Date ? value.toISOString() : value));
    const explain = `EXPLAIN (${options}FORMAT JSON) ${textOf(statement)}`;
    const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(explain, values);
    return rows.map((row) => row["QUERY PLAN"][0].Plan);
  };
  return {
    accessesOf: async (statement) => (await planOf(statement, "")).flatMap(accessesIn),
    isSorting: async (statement) =>
      /"Node Type":"(?:Incremental )?Sort"/.test(JSON.stringify(await planOf(statement, ""))),
    rowsLookedAt: async (statement) =>
      (await planOf(statement, "ANALYZE, ")).reduce((sum, plan) => sum + rowsOf(plan), 0),
    async close() {
      await client.query("ROLLBACK");
      await client.end();
    },
  };
}

function accessesIn(plan: Plan): Access[] {
  const below = (plan.Plans ?? []).flatMap(accessesIn);
  const { "Relation Name": table, "Index Name": index = null } = plan;
  if (table === undefined || plan["Node Type"] === "ModifyTable") return below;
  return [{ table, index, isSearched: plan["Index Cond"] !== undefined }, ...below];
}

function rowsOf(plan: Plan): number {
  const below = (plan.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), 0);
  if (plan["Relation Name"] === undefined || plan["Node Type"] === "ModifyTable") return below;
  const inEach =
    (plan["Actual Rows"] ?? 0) + (plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Index Recheck"] ?? 0);
  return below + inEach * (plan["Actual Loops"] ?? 1);
}

async function openSqlite(): Promise<Explainer> {
  const textOf = textMaker(() => "?");
  const database = new Database(`${env.DATA_DIR}/latchkey.db`, { readonly: true });
  const stepsOf = (statement: Statement) => {
    const values = statement.values.map((value) =>
      value instanceof Date ? value.getTime() : typeof value === "boolean" ? Number(value) : value,
    );
    const explaining = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${textOf(statement)}`);
    return explaining.all(...values).map(({ detail }) => detail);
  };
  return {
    accessesOf: async (statement) => stepsOf(statement).flatMap((step) => accessIn(step, aliasesIn(textOf(statement)))),
    isSorting: async (statement) =>
      stepsOf(statement).some((step) => /USE TEMP B-TREE FOR (?:.+ )?ORDER BY/.test(step)),
    rowsLookedAt: async () => undefined,
    close: async () => void database.close(),
  };
}

function aliasesIn(text: string): Map<string, string> {
  const named = [
    ...text.matchAll(/(?:FROM|JOIN|UPDATE|INTO)\s+"(\w+)"(?:\s+(?!WHERE\b|LEFT\b|JOIN\b|SET\b|ON\b)(\w+)\b)?/g),
  ];
  return new Map(
    named.flatMap(([, table = "", alias]) => [[table, table], ...(alias ? [[alias, table] as const] : [])]),
  );
}

function accessIn(detail: string, aliases: Map<string, string>): Access[] {
  const [, verb, name = ""] = /^(SEARCH|SCAN) (\w+)/.exec(detail) ?? [];
  const table = aliases.get(name);
  if (verb === undefined || table === undefined) return [];
  const [, index] = /USING (?:COVERING )?INDEX (\w+)/.exec(detail) ?? [];
  // Without an index, a search is one by the number of the row.
  const named =
    index === undefined && verb === "SEARCH"
      ? `${table}_pkey`
      : (index?.replace(/^sqlite_autoindex_(\w+)_\d+$/, "$1_pkey") ?? null);
  return [{ table, index: named, isSearched: verb === "SEARCH" }];
}

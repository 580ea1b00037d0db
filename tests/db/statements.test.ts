import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import Database from "better-sqlite3";
import { Client } from "pg";
import { beforeAll, expect, test } from "vitest";
import { currentDataKey } from "@/lib/platform/crypto/data-keys";
import { db } from "@/lib/platform/db/client";
import { textMaker } from "@/lib/platform/db/sql";
import { type RowShape, SqlChange, SqlQuery, type Statement } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { tables } from "@/prisma/generated/tables";
import { LINK, STATEMENTS, USER } from "@/tests/support/every-statement";
import { makeUser } from "@/tests/support/user";

const now = new Date();

beforeAll(async () => {
  await makeUser({ id: USER });
  await currentDataKey();
  const life = { createdAt: now, expiresAt: now };
  await db.linkCode.create({ data: { id: LINK, status: "denied", network: "n", program: "p", ...life } });
});

const OTHERS = [
  ..."matching startingAfter hasKey hasLink storedEntry ofVersion LIVE LIVE_SQL listPosition".split(" "),
  ..."USER_SORTS DIRECTIONS usualDirection kindsOf contains readSearch readPage".split(" "),
];
/** What only the other database has. */
const ELSEWHERE = env.DATABASE_URL ? ["integrity", "orphans", "sqliteVersion"] : ["serverClock", "serverFacts"];

test("no statement of any queries.ts is forgotten here", async () => {
  const files = readdirSync("lib", { recursive: true, encoding: "utf8" }).filter((file) => /queries\.ts$/.test(file));
  expect(Object.keys(STATEMENTS).sort()).toEqual(files.map((file) => file.replace(".ts", "")).sort());
  for (const [file, statements] of Object.entries(STATEMENTS)) {
    const module: object = await import(/* @vite-ignore */ resolve("lib", `${file}.ts`));
    const exported = Object.entries(module).flatMap(([name, value]) =>
      typeof value === "object" && name === "updates" ? Object.keys(value).map((one) => `updates.${one}`) : [name],
    );
    const here = exported.filter((name) => !OTHERS.includes(name) && !ELSEWHERE.includes(name));
    const looked = Object.keys(statements).map((name) => name.replace(/, .*/, ""));
    expect([file, ...new Set(looked)].sort()).toEqual([file, ...here].sort());
  }
});

const DATABASE = env.DATABASE_URL ? "postgresql" : "sqlite";

/** What a column of each kind of Prisma's models is in the databases; null where SQLite does not tell. */
const TYPES: Record<string, { sqlite: unknown[]; postgresql: unknown[] }> = {
  String: { sqlite: ["TEXT", null], postgresql: [25] },
  Int: { sqlite: ["INTEGER", null], postgresql: [23] },
  BigInt: { sqlite: ["BIGINT", "INTEGER", null], postgresql: [20] },
  Boolean: { sqlite: ["BOOLEAN"], postgresql: [16] },
  DateTime: { sqlite: ["DATETIME"], postgresql: [1114] },
  Bytes: { sqlite: ["BLOB"], postgresql: [17] },
  integer: { sqlite: [null], postgresql: [20, 23] },
  text: { sqlite: ["TEXT", null], postgresql: [25, 1043] },
  bytes: { sqlite: ["BLOB"], postgresql: [1042] },
};

/** The types that each column of a shape may have, by the models. */
function typesOf({ tables: aliases, columns }: RowShape<unknown>): Record<string, unknown[]> {
  const kindOf = (column: string) => {
    const [alias = "", field] = column.split(".");
    const model = tables.find((table) => table.name === aliases[alias]?.replace("?", ""));
    return model?.columns.find((one) => one.name === field)?.kind ?? `no column ${column}`;
  };
  return Object.fromEntries(
    Object.entries(columns).map(([name, of]) => [
      name,
      TYPES[typeof of === "string" ? kindOf(of) : of.kind]?.[DATABASE] ?? [of],
    ]),
  );
}

type Columns = { name: string; type: unknown }[];

async function answering(work: (columnsOf: (statement: Statement) => Promise<Columns>) => Promise<void>) {
  if (DATABASE === "sqlite") {
    const textOf = textMaker(() => "?");
    const database = new Database(`${env.DATA_DIR}/latchkey.db`, { readonly: true });
    await work(async (statement) => {
      const prepared = database.prepare(textOf(statement));
      return prepared.reader ? prepared.columns() : [];
    });
    database.close();
    return;
  }
  const textOf = textMaker((n) => `$${n}`);
  const client = new Client(env.DATABASE_URL);
  await client.connect();
  await client.query("BEGIN");
  await work(async (statement) => {
    await client.query("SAVEPOINT one");
    const values = statement.values.map((value) => (value instanceof Date ? value.toISOString() : value));
    const { fields } = await client.query(textOf(statement), values);
    await client.query("ROLLBACK TO one");
    return fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
  });
  await client.query("ROLLBACK");
  await client.end();
}

const shapeOf = (statement: Statement) =>
  statement instanceof SqlQuery || statement instanceof SqlChange ? statement.shape : undefined;

test("the database answers each statement with the columns and types of Prisma's models", async () => {
  await answering(async (columnsOf) => {
    for (const [area, statements] of Object.entries(STATEMENTS))
      for (const [name, statement] of Object.entries(statements)) {
        const columns = await columnsOf(statement);
        const shape = shapeOf(statement);
        const types = shape ? typesOf(shape) : {};
        expect([area, name, columns.map((column) => column.name)]).toEqual([area, name, Object.keys(types)]);
        for (const { name: column, type } of columns)
          expect([area, name, column, types[column]]).toEqual([area, name, column, expect.arrayContaining([type])]);
      }
  });
});

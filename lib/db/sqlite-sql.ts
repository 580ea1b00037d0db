import { groupCommit } from "./group-commit";
import { KnownRows } from "./known-rows";
import { type DirectSql, type SqlStatements, statementMaker } from "./sql";
import { type InTurn, whileBusy } from "./sqlite";
import { SqliteConnection } from "./sqlite-connection";

/**
 * On two connections to `file` beside Prisma's. Outside of a transaction, `$queryRaw` only reads, and at once: what was committed
 * last, whoever writes meanwhile. All that writes waits for its turn like Prisma's statements.
 */
export function sqliteSql(file: string, inTurn: InTurn): DirectSql {
  const statement = statementMaker(() => "?");
  const reading = new SqliteConnection(file, { readonly: true });
  const writing = new SqliteConnection(file, {});
  const tx: SqlStatements = {
    $queryRaw: async <Rows>(query: TemplateStringsArray, ...values: unknown[]) => writing.rows(statement(query, values)) as Rows,
    $executeRaw: async (query, ...values) => writing.run(statement(query, values)),
  };
  const known = new KnownRows();
  // It changes with every commit of any other connection, and the reading one never writes (sqlite.org/pragma.html#pragma_data_version).
  const version = () => reading.rows({ text: "PRAGMA data_version", values: [], isFixed: true })[0]?.data_version;

  const transaction = groupCommit(writing, tx, inTurn);
  return {
    $queryRaw: <Rows>(query: TemplateStringsArray, ...values: unknown[]) => whileBusy(async () => reading.rows(statement(query, values)) as Rows),
    $executeRaw: (query, ...values) => inTurn(async () => writing.run(statement(query, values))),
    lookUp: <Rows>(query: TemplateStringsArray, ...values: unknown[]) =>
      whileBusy(async () => known.at(version(), query, values, () => reading.rows(statement(query, values))) as Rows),
    transaction,
    together: transaction,
    with: (change, also) =>
      transaction(async (tx) => {
        const rows = await change(tx);
        if (rows.length > 0) await also(tx);
        return rows;
      }),
    close() {
      reading.close();
      writing.close();
    },
  };
}

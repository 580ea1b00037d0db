import pg, { type Pool, type PoolClient, type QueryConfig } from "pg";
import { type DirectSql, type SqlStatements, type Statement, statementMaker } from "./sql";

/** On Prisma's pool. */
export function postgresSql(pool: Pool): DirectSql {
  const statement = statementMaker((n) => `$${n}`);
  const names = new Map<string, string>();
  const config = ({ text, values, isFixed }: Statement): QueryConfig => {
    if (isFixed && !names.has(text)) names.set(text, `latchkey ${names.size}`);
    return { name: names.get(text), text, values: values.map(asStored), types };
  };
  const on = (connection: Pool | PoolClient): SqlStatements => ({
    $queryRaw: async <Rows>(query: TemplateStringsArray, ...values: unknown[]) => (await connection.query(config(statement(query, values)))).rows as Rows,
    $executeRaw: async (query, ...values) => (await connection.query(config(statement(query, values)))).rowCount ?? 0,
  });

  const statements = on(pool);
  return {
    ...statements,
    lookUp: statements.$queryRaw,
    async together(write) {
      const writes: Write[] = [];
      await write({ $executeRaw: async (query, ...values) => writes.push({ query, values }) });
      await pool.query(config(asOne(writes)));
    },
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query("BEGIN");
        const result = await work(on(client));
        await client.query("COMMIT");
        return result;
      } catch (error) {
        // Where even that fails, the connection is of no use to others.
        await client.query("ROLLBACK").catch((failure: Error) => {
          broken = failure;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    close: () => {},
  };
}

interface Write {
  query: TemplateStringsArray;
  values: unknown[];
}

/** Several writes as one statement, which saves a round trip for each of them, for BEGIN and for COMMIT: all of them happen or none. */
function asOne(writes: Write[]): Statement {
  let taken = 0;
  const parts = writes.map(({ query }, n) => `w${n} AS (${query.reduce((text, part) => `${text}$${++taken}${part}`)})`);
  return { text: `WITH ${parts.join(", ")} SELECT`, values: writes.flatMap(({ values }) => values), isFixed: true };
}

/** Columns hold UTC and no zone; pg would take both ways for the time of this machine. */
function asStored(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

const { TIMESTAMP, INT8 } = pg.types.builtins;

const types: pg.CustomTypesConfig = {
  getTypeParser(type, format) {
    if (type === TIMESTAMP) return (text: string) => new Date(`${text.replace(" ", "T")}Z`);
    if (type === INT8) return Number;
    return pg.types.getTypeParser(type, format);
  },
};

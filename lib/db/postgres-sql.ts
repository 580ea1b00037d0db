import pg, { type Pool, type PoolClient, type QueryConfig } from "pg";
import { statementName } from "./pooler";
import { type DirectSql, type SqlStatements, type Statement, statementMaker, type Writes } from "./sql";

/** On Prisma's pool. */
export function postgresSql(pool: Pool): DirectSql {
  const statement = statementMaker((n) => `$${n}`);
  const config = ({ text, values, isFixed }: Statement): QueryConfig => ({
    name: isFixed ? statementName(text) : undefined,
    text,
    values: values.map(asStored),
    types,
  });
  const on = (connection: Pool | PoolClient): SqlStatements => ({
    $queryRaw: async <Rows>(query: TemplateStringsArray, ...values: unknown[]) => (await connection.query(config(statement(query, values)))).rows as Rows,
    $executeRaw: async (query, ...values) => (await connection.query(config(statement(query, values)))).rowCount ?? 0,
  });

  const statements = on(pool);
  return {
    ...statements,
    lookUp: statements.$queryRaw,
    async together(write) {
      const { writes, tx } = collector();
      await write(tx);
      await pool.query(config(asOne(writes)));
    },
    async with<Row>(change: (tx: Pick<SqlStatements, "$queryRaw">) => Promise<Row[]>, also: (tx: Writes) => Promise<void>) {
      const { writes, tx } = collector();
      await change(tx);
      await also(tx);
      return (await pool.query(config(asOne(writes, "FROM w0")))).rows as Row[];
    },
    async transaction(work) {
      const client = await pool.connect();
      // A connection that ends between two statements says so here, and the next statement fails; unheard, it would end the process.
      const ended = () => {};
      client.on("error", ended);
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
        client.off("error", ended);
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

/** Takes down what is asked for, and does nothing. */
function collector() {
  const writes: Write[] = [];
  const take = async (query: TemplateStringsArray, values: unknown[]) => void writes.push({ query, values });
  const tx = {
    async $queryRaw<Rows>(query: TemplateStringsArray, ...values: unknown[]) {
      await take(query, values);
      return [] as Rows;
    },
    $executeRaw: (query: TemplateStringsArray, ...values: unknown[]) => take(query, values),
  };
  return { writes, tx };
}

/**
 * Several writes as one statement, which saves a round trip for each of them, for BEGIN and for COMMIT: all of them happen or none.
 * With `rows`, each after the first is done for every row that the first one returns, and these are answered.
 */
function asOne(writes: Write[], rows = ""): Statement {
  let taken = 0;
  const parts = writes.map(({ query }, n) => `w${n} AS (${query.reduce((text, part) => `${text}$${++taken}${part}`)} ${n > 0 ? rows : ""})`);
  return { text: `WITH ${parts.join(", ")} SELECT ${rows && `* ${rows}`}`, values: writes.flatMap(({ values }) => values), isFixed: true };
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

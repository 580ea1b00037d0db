import pg, { type Pool, type PoolClient } from "pg";
import { statementName } from "./pooler";
import { checkBatch, type SqlEngine, type SqlTransaction, textMaker } from "./sql";
import { onlyWhere, rowShape, type SqlChange, type SqlQuery, type Statement, textOrNull } from "./statement";
import { inOneTrip, type RowsAndCount, type Sent } from "./trip";

const setting = rowShape({}, { readOnly: textOrNull("current_setting('transaction_read_only')") });

/** Uses Prisma's pool. */
export function postgresSql(pool: Pool): SqlEngine {
  const textOf = textMaker((n) => `$${n}`);
  const asked = (statement: Statement) => sent(textOf(statement), statement.values, statement.isFixed);
  const on = (connection: PoolClient): SqlTransaction => ({
    read: async <Row>(query: SqlQuery<Row>) => (await one(connection, asked(query))).rows as Row[],
    async write(change: SqlChange<unknown>) {
      const { rows, count } = await one(connection, asked(change));
      return (change.shape ? rows : count) as never;
    },
  });

  function batchOf(changes: readonly SqlChange<unknown>[]): Sent {
    const [first, ...others] = changes;
    if (first && others.length === 0) return asked(first);
    const values = changes.flatMap((change) => change.values);
    return sent(
      batchText(changes),
      values,
      changes.every(({ isFixed }) => isFixed),
    );
  }

  /** The connection is used again if nothing fails, or `isUsable` after it failed. */
  async function onConnection<T>(work: (client: PoolClient) => Promise<T>, isUsable = isRefusedRow): Promise<T> {
    const client = await pool.connect();
    // A connection that ends between two statements emits an error here, and the next statement fails; without a
    // listener it would end the process.
    const ended = () => {};
    client.on("error", ended);
    let broken = false;
    try {
      return await work(client);
    } catch (error) {
      broken = !isUsable(error);
      throw error;
    } finally {
      client.off("error", ended);
      client.release(broken);
    }
  }

  const read = (query: Statement) => onConnection(async (client) => (await one(client, asked(query))).rows);

  return {
    read,
    async batch(changes) {
      if (changes.length === 0) return [];
      const batch = batchOf(changes);
      return onConnection(async (client) => (await one(client, batch)).rows);
    },
    async batchThenRead(changes, query) {
      const batch = batchOf(changes);
      const [written, found] = await onConnection((client) => inOneTrip(client, [batch, asked(query)], types));
      const isWritten = written && written.rows.length > 0;
      return { written: written?.rows ?? [], found: isWritten ? (found?.rows ?? []) : [] };
    },
    async write(work) {
      let isRolledBack = false;
      return onConnection(
        async (client) => {
          try {
            await client.query("BEGIN");
            const result = await work(on(client));
            await client.query("COMMIT");
            return result;
          } catch (error) {
            isRolledBack = await client.query("ROLLBACK").then(
              () => true,
              () => false,
            );
            throw error;
          }
        },
        () => isRolledBack,
      );
    },
    takesWrites: async () => (await read(setting.from`(SELECT 1) AS one`))[0]?.readOnly === "off",
    close: () => {},
  };
}

/** A constraint refused the row (SQLSTATE class 23), as a taken code is: the connection is as good as before. */
const isRefusedRow = (error: unknown) => error instanceof pg.DatabaseError && error.code?.startsWith("23") === true;

function sent(text: string, values: readonly unknown[], isFixed: boolean): Sent {
  return { name: isFixed ? statementName(text) : undefined, text, values: values.map(asSent) };
}

async function one(client: PoolClient, statement: Sent): Promise<RowsAndCount> {
  const [result = { rows: [], count: 0 }] = await inOneTrip(client, [statement], types);
  return result;
}

/** The texts of batches by the strings of each statement in turn, which are the same at each call of the same code. */
interface Texts {
  text?: string;
  followedBy: WeakMap<readonly string[], Texts>;
}

const emptyTexts = (): Texts => ({ followedBy: new WeakMap() });
const batches = emptyTexts();

/** Checks and joins the changes of a batch, once for each combination of statements. */
function batchText(changes: readonly SqlChange<unknown>[]): string {
  let known = batches;
  for (const { strings } of changes) {
    const next = known.followedBy.get(strings) ?? emptyTexts();
    known.followedBy.set(strings, next);
    known = next;
  }
  if (known.text === undefined) {
    checkBatch(changes);
    known.text = asOne(changes);
  }
  return known.text;
}

/**
 * Several changes as one statement, all or none, which saves a round trip for each, for BEGIN and for COMMIT. If the
 * first returns rows, the others run only if there are any, and these rows are returned.
 */
function asOne(changes: readonly SqlChange<unknown>[]): string {
  const isReturning = changes[0]?.shape !== undefined;
  let taken = 0;
  const parts = changes.map((change, n) => {
    const { strings } = isReturning && n > 0 ? onlyWhere(change, "EXISTS (SELECT 1 FROM w0)") : change;
    return `w${n} AS (${strings.reduce((text, part) => `${text}$${++taken}${part}`)})`;
  });
  return `WITH ${parts.join(", ")} SELECT ${isReturning ? "* FROM w0" : ""}`;
}

/** Columns hold UTC without a zone; pg would write it as local time, and read it so. */
function asSent(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || Buffer.isBuffer(value)) return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return String(value);
}

const { TIMESTAMP, INT8, BPCHAR } = pg.types.builtins;

const types: pg.CustomTypesConfig = {
  getTypeParser(type, format) {
    if (type === TIMESTAMP) return (text: string) => new Date(`${text.replace(" ", "T")}Z`);
    if (type === INT8) return Number;
    // `manyBytes` of ./statement.
    if (type === BPCHAR) return (text: string) => Buffer.from(text, "base64");
    return pg.types.getTypeParser(type, format);
  },
};

import type { Pool, PoolClient, QueryConfig } from "pg";
import pg from "pg";
import { statementName } from "./pooler";
import { checkBatch, conditional, type SqlEngine, type SqlTransaction, textMaker } from "./sql";
import { rowShape, type SqlChange, type SqlQuery, type Statement, textOrNull } from "./statement";

/** Pending statements on one connection before another one is opened. */
const ENOUGH = 8;
/** Of the pool's connections, so many at most, so that others are left for transactions and slow reads. */
const SHARE = 2;
/**
 * Then a connection accepts no more, and goes back to the pool when it has responded: those who wait get their turn.
 */
const ACCEPTS_MS = 100;

const ignore = () => {};

interface Reader {
  client: Promise<PoolClient>;
  pending: number;
  until: number;
  isBroken: boolean;
}

/**
 * Reads that share connections: they are sent without waiting for the responses to those before (pg's pipelining), for
 * a quarter of the processor time. For statements that an index answers at once and that never wait for a lock: whoever
 * comes behind a slow one waits as long.
 */
export function sharedReads(pool: Pool): (statement: QueryConfig) => Promise<unknown[]> {
  const maxReaders = Math.max(1, Math.floor(pool.options.max / SHARE));
  const readers = new Set<Reader>();

  function reader(): Reader {
    const now = performance.now();
    let best: Reader | undefined;
    for (const one of readers) if (one.until > now && (best === undefined || one.pending < best.pending)) best = one;
    if (best && (best.pending < ENOUGH || readers.size >= maxReaders)) return best;
    const created: Reader = { client: connect(), pending: 0, until: now + ACCEPTS_MS, isBroken: false };
    readers.add(created);
    return created;
  }

  async function connect(): Promise<PoolClient> {
    const client = await pool.connect();
    // What fails are the pending statements; without a listener it would end the process.
    client.on("error", ignore);
    return client;
  }

  async function release({ client, isBroken }: Reader): Promise<void> {
    const connection = await client.catch(() => undefined);
    connection?.off("error", ignore);
    connection?.release(isBroken);
  }

  return async (statement) => {
    const chosen = reader();
    chosen.pending++;
    try {
      return (await (await chosen.client).query(statement)).rows;
    } catch (error) {
      chosen.isBroken = true;
      chosen.until = 0;
      throw error;
    } finally {
      if (--chosen.pending === 0) {
        readers.delete(chosen);
        void release(chosen);
      }
    }
  };
}

const setting = rowShape({}, { readOnly: textOrNull("current_setting('transaction_read_only')") });

/** Uses Prisma's pool. */
export function postgresSql(pool: Pool): SqlEngine {
  const textOf = textMaker((n) => `$${n}`);
  const configOf = (statement: Statement) => query(textOf(statement), statement.values, statement.isFixed);
  const on = (connection: PoolClient): SqlTransaction => ({
    read: async <Row>(read: SqlQuery<Row>) => (await connection.query(configOf(read))).rows as Row[],
    async write(change: SqlChange<unknown>) {
      const { rows, rowCount } = await connection.query(configOf(change));
      return (change.shape ? rows : (rowCount ?? 0)) as never;
    },
  });

  const asOne = (changes: readonly SqlChange<unknown>[]) => {
    checkBatch(changes);
    const [first] = changes;
    return first && changes.length === 1 ? configOf(first) : joined(changes);
  };

  /** The connection is used again if nothing fails, or `isUsable` after it failed. */
  async function onConnection<T>(work: (client: PoolClient) => Promise<T>, isUsable = isRefused): Promise<T> {
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

  const read = (statement: Statement) => onConnection(async (client) => (await client.query(configOf(statement))).rows);
  const readQuickly = sharedReads(pool);

  return {
    read,
    readQuickly: (statement) => readQuickly(configOf(statement)),
    async batch(changes) {
      const [first] = changes;
      if (!first) return [];
      const { rows } = await onConnection((client) => client.query(asOne(changes)));
      return first.shape ? rows : [];
    },
    async batchThenRead(changes, following) {
      const configs = [asOne(changes), configOf(following)];
      const [written, read] = await onConnection((client) => Promise.all(configs.map((one) => client.query(one))));
      const isWritten = written && written.rows.length > 0;
      return { written: written?.rows ?? [], rows: isWritten ? (read?.rows ?? []) : [] };
    },
    async write(work) {
      let isRolledBack = false;
      return onConnection(
        async (client) => {
          try {
            // Not awaited alone: it is sent with the first statement.
            const begun = client.query("BEGIN");
            const [result] = await Promise.all([work(on(client)), begun]);
            await commit(client);
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
    acceptsWrites: async () => (await read(setting.from`(SELECT 1) AS one`))[0]?.readOnly === "off",
    close: () => {},
  };
}

/** Throws if nothing was committed: a statement failed, and the work went on as if it had not. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query("COMMIT");
  if (command !== "COMMIT") throw new Error("A statement of this transaction failed, so nothing was written.");
}

/** A constraint refused the row (SQLSTATE class 23), as a reserved code is: the connection is as good as before. */
const isRefused = (error: unknown) => error instanceof pg.DatabaseError && error.code?.startsWith("23") === true;

function query(text: string, values: readonly unknown[], isFixed: boolean): QueryConfig {
  return { name: isFixed ? statementName(text) : undefined, text, values: values.map(asParameter), types };
}

/** The texts of changes that are one statement, by the strings of each in turn, the same at each call of that code. */
interface Texts {
  text?: string;
  followedBy: WeakMap<readonly string[], Texts>;
}

const emptyTexts = (): Texts => ({ followedBy: new WeakMap() });
const cachedTexts = emptyTexts();

/**
 * Changes as one statement, all or none: BEGIN, the changes and COMMIT, sent together, take up to 1.4 times the
 * processor time. If the first returns rows, the others are made only if there are any, and these rows are returned.
 */
function joined(changes: readonly SqlChange<unknown>[]): QueryConfig {
  let texts = cachedTexts;
  for (const { strings } of changes) {
    const next = texts.followedBy.get(strings) ?? emptyTexts();
    texts.followedBy.set(strings, next);
    texts = next;
  }
  texts.text ??= textOfAll(changes);
  const isFixed = changes.every((change) => change.isFixed);
  return query(
    texts.text,
    changes.flatMap(({ values }) => values),
    isFixed,
  );
}

function textOfAll(changes: readonly SqlChange<unknown>[]): string {
  const returns = changes[0]?.shape !== undefined;
  let values = 0;
  const parts = changes.map((change, n) => {
    const strings = (returns && n > 0 && conditional(change)?.("EXISTS (SELECT 1 FROM w0)")) || change.strings;
    return `w${n} AS (${strings.reduce((text, part) => `${text}$${++values}${part}`)})`;
  });
  return `WITH ${parts.join(", ")} SELECT ${returns ? "* FROM w0" : ""}`;
}

/** Columns hold UTC without a zone; pg would write it as local time, and read it so. */
function asParameter(value: unknown): string | Buffer | null {
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

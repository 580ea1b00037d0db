import type { Pool, PoolClient, QueryConfig } from "pg";

/** Statements under way on one connection before another one is opened. */
const ENOUGH = 8;
/** Of the pool's connections, so many at most, so that others are left for transactions and slow reads. */
const SHARE = 2;
/** Then a connection takes no more, and goes back to the pool when it has answered: those who wait get their turn. */
const TAKES_MS = 100;

const ignore = () => {};

interface Reader {
  client: Promise<PoolClient>;
  underWay: number;
  until: number;
  isBroken: boolean;
}

/**
 * Reads that share connections: they are sent without waiting for the responses to those before (pg's pipelining), for
 * a quarter of the processor time. For statements that an index answers at once and that never wait for a lock: whoever
 * comes behind a slow one waits as long.
 */
export function sharedReads(pool: Pool): (statement: QueryConfig) => Promise<unknown[]> {
  const most = Math.max(1, Math.floor(pool.options.max / SHARE));
  const readers = new Set<Reader>();

  function reader(): Reader {
    const now = performance.now();
    let best: Reader | undefined;
    for (const one of readers) if (one.until > now && (best === undefined || one.underWay < best.underWay)) best = one;
    if (best && (best.underWay < ENOUGH || readers.size >= most)) return best;
    const made: Reader = { client: connect(), underWay: 0, until: now + TAKES_MS, isBroken: false };
    readers.add(made);
    return made;
  }

  async function connect(): Promise<PoolClient> {
    const client = await pool.connect();
    // What fails are the statements under way; without a listener it would end the process.
    client.on("error", ignore);
    return client;
  }

  async function giveBack({ client, isBroken }: Reader): Promise<void> {
    const given = await client.catch(() => undefined);
    given?.off("error", ignore);
    given?.release(isBroken);
  }

  return async (statement) => {
    const chosen = reader();
    chosen.underWay++;
    try {
      return (await (await chosen.client).query(statement)).rows;
    } catch (error) {
      chosen.isBroken = true;
      chosen.until = 0;
      throw error;
    } finally {
      if (--chosen.underWay === 0) {
        readers.delete(chosen);
        void giveBack(chosen);
      }
    }
  };
}

import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";

/** The engine's own, which `prisma migrate deploy` takes too. */
const SESSION_LOCK = "SELECT pg_advisory_lock(72707369)";
const TRANSACTION_LOCK = "SELECT pg_advisory_xact_lock(72707369)";

/**
 * Connections on which everything from the first statement to `dispose` is one transaction of PostgreSQL, and the engine's lock ends with it. Behind a
 * pooler a session's lock would stay on a connection that is handed to the next, and statements would go over several. Whoever dies in the
 * middle leaves nothing behind. (So no migration may hold what a transaction cannot, like CREATE INDEX CONCURRENTLY.)
 */
export function inOneTransaction(factory: SqlMigrationAwareDriverAdapterFactory): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => begin(await factory.connect()),
    connectToShadowDb: () => factory.connectToShadowDb(),
  };
}

async function begin(connection: SqlDriverAdapter): Promise<SqlDriverAdapter> {
  const tx = await connection.startTransaction();
  const say = (sql: string) => tx.executeRaw({ sql, args: [], argTypes: [] });
  return {
    provider: connection.provider,
    adapterName: connection.adapterName,
    getConnectionInfo: () => ({ supportsRelationJoins: true, ...connection.getConnectionInfo?.() }),
    queryRaw: (query) => tx.queryRaw(query),
    executeRaw: (query) => tx.executeRaw(query.sql === SESSION_LOCK ? { ...query, sql: TRANSACTION_LOCK } : query),
    executeScript: async (script) => void (await say(script)),
    startTransaction: (isolation) => connection.startTransaction(isolation),
    // After a statement that failed, PostgreSQL makes a COMMIT a ROLLBACK.
    async dispose() {
      try {
        await say("COMMIT");
      } finally {
        // It only gives the connection back.
        await tx.commit();
        await connection.dispose();
      }
    },
  };
}

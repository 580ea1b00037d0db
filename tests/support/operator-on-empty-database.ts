import { runAdmin, runScript } from "./admin";
import { emptyDatabase } from "./empty-database";

const { AUTH_SECRET: _, DATABASE_URL: __, DATA_DIR: ___, ...nothing } = process.env;

/** An operator on a database of its own, with whatever secrets are named. */
export async function operatorOnEmptyDatabase() {
  const database = await emptyDatabase();
  const environment = (AUTH_SECRET?: string) => ({ ...nothing, ...database, ...(AUTH_SECRET && { AUTH_SECRET }) });
  return {
    database,
    /** What the command prints; else what it says instead. */
    async admin(secrets: string | undefined, ...sent: string[]): Promise<Record<string, unknown>> {
      const { status, stdout, stderr } = await runAdmin(sent, environment(secrets));
      return status === 0 ? JSON.parse(stdout) : { refused: stderr };
    },
    /** What the service does at its start. */
    start: (secrets: string) => runScript("scripts/migrate.ts", [], environment(secrets)),
  };
}

import { runAdmin, runScript } from "./admin";
import { emptyDatabase } from "./empty-database";

const { AUTH_SECRET: _, DATABASE_URL: __, DATA_DIR: ___, ...nothing } = process.env;

/** An operator on a separate database, with the given secrets. */
export async function operatorOnEmptyDatabase() {
  const database = await emptyDatabase();
  const environment = (AUTH_SECRET?: string) => ({ ...nothing, ...database, ...(AUTH_SECRET && { AUTH_SECRET }) });
  return {
    database,
    /** The command's output, or its error. */
    async admin(secrets: string | undefined, ...sent: string[]): Promise<Record<string, unknown>> {
      const { status, stdout, stderr } = await runAdmin(sent, environment(secrets));
      return status === 0 ? JSON.parse(stdout) : { refused: stderr };
    },
    /** The start-up work of the service. */
    start: (secrets: string) => runScript("scripts/migrate.ts", [], environment(secrets)),
  };
}

// What npm installs for a checkout, before anything needs it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GENERATED, hashOfSchema } from "./sources.mjs";

/**
 * SQLite's binding, which npm installs for the Node.js that runs it (lib/platform/db/binding). Generates the
 * database clients if they are missing or of another schema, because npm was told to run no scripts. Throws an Error,
 * whose message says what to run, without packages, or with those for another Node.js.
 */
export async function installedDatabase() {
  if (!existsSync(join("node_modules", "prisma"))) throw new Error("The packages are not installed: run npm ci.");
  const Database = await usableBinding();
  if (!existsSync(GENERATED) || readFileSync(GENERATED, "utf8") !== hashOfSchema()) await import("./generate.mjs");
  return Database;
}

async function usableBinding() {
  try {
    const { default: Database } = await import("better-sqlite3");
    new Database(":memory:").close();
    return Database;
  } catch {
    throw new Error(
      `The package better-sqlite3 is not installed for Node.js ${process.version} on this system. Run npm ci with ` +
        "this Node.js. Before 22.14, its install script must be allowed (after npm ci --ignore-scripts: npm rebuild " +
        "better-sqlite3-12), and reach GitHub, or find Python, a C++ compiler and Node's headers; 22.14 and later " +
        "need none of it.",
    );
  }
}

import { env } from "@/lib/env";
import { errorCodes } from "./errors";

const POSTGRES: Record<string, (place: string) => string> = {
  "28P01": (place) => `The database at ${place} refuses the user or the password in DATABASE_URL.`,
  "28000": (place) => `The database at ${place} refuses the user in DATABASE_URL.`,
  "3D000": (place) => `The server at ${place} has no database of the name in DATABASE_URL.`,
  "42501": (place) => `The user in DATABASE_URL may not make tables in the database at ${place}.`,
};

const SQLITE: Record<string, string> = {
  SQLITE_CANTOPEN: "cannot be opened or made by this user",
  SQLITE_READONLY: "cannot be written to by this user",
  SQLITE_NOTADB: "is no database; restore a backup",
  SQLITE_CORRUPT: "is damaged; restore a backup",
  SQLITE_FULL: "finds no room on its disk",
  SQLITE_IOERR: "cannot be read or written: its disk failed",
};

/**
 * Why the database cannot be used, as a sentence for whoever runs the service, naming the variable to look at; undefined where
 * waiting may help, or the error is none of the database's. Never holds the password.
 */
export function explainFault(error: unknown): string | undefined {
  const codes = errorCodes(error);
  for (const code of codes) {
    const sentence = env.DATABASE_URL ? POSTGRES[code]?.(databasePlace()) : undefined;
    if (sentence) return sentence;
    const reason = env.DATABASE_URL ? undefined : SQLITE[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ""];
    if (reason) return `The database ${databasePlace()} ${reason}.`;
  }
  return undefined;
}

/** Why waiting is all that can be done, as a sentence. */
export function explainAbsence(error: unknown): string {
  const why = errorCodes(error).join(", ") || (error instanceof Error ? error.message : "");
  return `The database ${env.DATABASE_URL ? "at " : ""}${databasePlace()} does not answer (${why}).`;
}

/** Where the database is, for people: without user and password. */
function databasePlace(): string {
  if (!env.DATABASE_URL) return `in DATA_DIR (${env.DATA_DIR}/latchkey.db)`;
  const { hostname, port } = new URL(env.DATABASE_URL);
  return `${decodeURIComponent(hostname) || "localhost"}:${port || 5432} (DATABASE_URL)`;
}

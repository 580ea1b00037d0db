import type { Prisma } from "@/prisma/generated/sqlite/client";

/** The driver's error, wherever Prisma put it. */
interface DriverCause {
  kind?: string;
  originalCode?: string;
  code?: string;
}

// Recognised by `code`, not by `instanceof`: there is one client per database and per bundle.
function prismaCode(error: unknown): string | undefined {
  const code =
    (error as { code?: unknown; errorCode?: unknown } | null)?.code ??
    (error as { errorCode?: unknown } | null)?.errorCode;
  return typeof code === "string" ? code : undefined;
}

function driverCause(error: unknown): DriverCause {
  const meta = (error as Prisma.PrismaClientKnownRequestError | null)?.meta as
    | { driverAdapterError?: { cause?: DriverCause } }
    | undefined;
  return meta?.driverAdapterError?.cause ?? (error as { cause?: DriverCause } | null)?.cause ?? {};
}

/** The codes of a database error: Prisma's, the driver's, the system's. */
export function errorCodes(error: unknown): string[] {
  const cause = driverCause(error);
  // A name with several addresses: each has failed in its own way.
  const each = error instanceof AggregateError ? error.errors.flatMap(errorCodes) : [];
  return [...new Set([prismaCode(error), cause.originalCode, cause.code, ...each])].filter(
    (code) => code !== undefined,
  );
}

/** A row with this unique value exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return (
    prismaCode(error) === "P2002" ||
    driverCause(error).kind === "UniqueConstraintViolation" ||
    errorCodes(error).some((code) =>
      ["23505", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"].includes(code),
    )
  );
}

/** The row that a new one references no longer exists. */
export function isMissingReference(error: unknown): boolean {
  return (
    prismaCode(error) === "P2003" ||
    driverCause(error).kind === "ForeignKeyConstraintViolation" ||
    errorCodes(error).some((code) => ["23503", "SQLITE_CONSTRAINT_FOREIGNKEY"].includes(code))
  );
}

/** PostgreSQL refused one of two conflicting transactions; a retry is right. */
export function isWriteConflict(error: unknown): boolean {
  return errorCodes(error).some((code) => ["P2034", "40001", "40P01"].includes(code));
}

/** A table is missing, so nobody has migrated this database. (The embedded one is migrated at every start.) */
export function isNotMigrated(error: unknown): boolean {
  return errorCodes(error).some((code) => ["P2021", "42P01"].includes(code));
}

/** SQLite's code for a full disk. */
export const FULL = "SQLITE_FULL";

/** No space to write: the disk or a quota is full. SHMSIZE: SQLite could not make the file beside its log. */
export function isStorageFull(error: unknown): boolean {
  return errorCodes(error).some((code) => [FULL, "SQLITE_IOERR_SHMSIZE", "ENOSPC", "EDQUOT", "53100"].includes(code));
}

/** PostgreSQL's code for a read-only server: a standby, or one whose operator or full disk stopped all writes. */
export const READ_ONLY = "25006";

/** The code of ours for a database or role whose settings we cannot work with. */
export const UNFIT = "ERR_UNFIT_DATABASE";

/**
 * Codes of Prisma, Node and PostgreSQL (classes 08, connection, and 57P, operator intervention), and SQLite's codes for
 * a lock held by another process, and for a database that cannot be written, as after its disk failed.
 */
const AWAY = [
  /^P10(?:00|01|02|03|08|10|17)$/,
  /^P20(?:24|28|37)$/,
  /^E(?:AI_AGAIN|NOENT|NOTFOUND|PIPE|TIMEDOUT)$/,
  /^E(?:ADDRNOTAVAIL|CONNABORTED|CONNREFUSED|CONNRESET|HOSTDOWN|HOSTUNREACH|NETDOWN|NETUNREACH)$/,
  /^(?:08\w{3}|57P\d\d|53300)$/,
  // The role may not do this, or not take so long: statement_timeout, lock_timeout, and those of transactions.
  /^(?:42501|57014|55P03|25P03|25P04)$/,
  /^SQLITE_(?:BUSY|READONLY)/,
  /^ERR_UNFIT_DATABASE$/,
];
const AWAY_KINDS = [
  "SocketTimeout",
  "DatabaseNotReachable",
  "DatabaseDoesNotExist",
  "ConnectionClosed",
  "TooManyConnections",
];
const AWAY_SENTENCES = /timeout expired|timeout exceeded when trying to connect|Connection terminated|is not queryable/;

/** The database is unavailable or was busy for too long; a later retry is right. */
export function isUnavailable(error: unknown): boolean {
  return (
    AWAY_KINDS.includes(driverCause(error).kind ?? "") ||
    errorCodes(error).some((code) => code === READ_ONLY || AWAY.some((pattern) => pattern.test(code))) ||
    (error instanceof Error && AWAY_SENTENCES.test(error.message))
  );
}

import type { Prisma } from "@/prisma/generated/sqlite/client";

/** What the driver said, wherever Prisma put it. */
interface DriverCause {
  kind?: string;
  originalCode?: string;
  code?: string;
}

// Recognised by `code`, not by `instanceof`: the client exists once for each database, and once for each bundle.
function prismaCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown; errorCode?: unknown } | null)?.code ?? (error as { errorCode?: unknown } | null)?.errorCode;
  return typeof code === "string" ? code : undefined;
}

function driverCause(error: unknown): DriverCause {
  const meta = (error as Prisma.PrismaClientKnownRequestError | null)?.meta as { driverAdapterError?: { cause?: DriverCause } } | undefined;
  return meta?.driverAdapterError?.cause ?? (error as { cause?: DriverCause } | null)?.cause ?? {};
}

const codes = (error: unknown) => {
  const cause = driverCause(error);
  return [prismaCode(error), cause.originalCode, cause.code].filter((code) => code !== undefined);
};

/** A row with this unique value exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return prismaCode(error) === "P2002" || driverCause(error).kind === "UniqueConstraintViolation" || codes(error).includes("23505");
}

/** The row that a new one points to is gone. */
export function isMissingReference(error: unknown): boolean {
  return prismaCode(error) === "P2003" || driverCause(error).kind === "ForeignKeyConstraintViolation" || codes(error).includes("23503");
}

/** PostgreSQL refused one of two transactions that collide; repeating it is right. */
export function isWriteConflict(error: unknown): boolean {
  return codes(error).some((code) => ["P2034", "40001", "40P01"].includes(code));
}

/** No room to write: a full disk or quota of the database. */
export function isStorageFull(error: unknown): boolean {
  return codes(error).some((code) => ["SQLITE_FULL", "53100"].includes(code));
}

const AWAY = [
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "P2028",
  "P2037",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "08000",
  "08003",
  "08006",
]; // prettier-ignore
const AWAY_KINDS = ["SocketTimeout", "DatabaseNotReachable", "ConnectionClosed", "TooManyConnections"];

/** The database is away, or was busy for too long; trying again later is right. */
export function isUnavailable(error: unknown): boolean {
  return (
    AWAY_KINDS.includes(driverCause(error).kind ?? "") ||
    codes(error).some((code) => AWAY.includes(code) || code.startsWith("SQLITE_BUSY")) ||
    (error instanceof Error && /timeout exceeded when trying to connect|Connection terminated/.test(error.message))
  );
}

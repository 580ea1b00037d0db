import { howToOwnIt, unfitFileSystem } from "../data-folder";
import { env } from "../env";
import { addressesIn, hostIn } from "../postgres-address";
import { errorCodes, FULL, isStorageFull, isUnavailable, READ_ONLY, UNFIT } from "./errors";

const POSTGRES: Record<string, (location: string) => string> = {
  "28P01": (location) => `The database at ${location} refuses the user or the password in DATABASE_URL.`,
  "28000": (location) => `The database at ${location} refuses the user in DATABASE_URL.`,
  "3D000": (location) => `The server at ${location} has no database of the name in DATABASE_URL.`,
  "42501": (location) => `The user in DATABASE_URL may not create tables in the database at ${location}.`,
};

/** Codes for a certificate of an authority that is not known here. */
export const UNTRUSTED = [
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
];
const OTHER_CERTIFICATE = /^(?:ERR_TLS_CERT_ALTNAME_INVALID|CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/;

const SQLITE: Record<string, string> = {
  SQLITE_CANTOPEN: "cannot be opened or created by this user",
  SQLITE_READONLY: "cannot be written to by this user",
  SQLITE_NOTADB: "is not a database; restore a backup",
  SQLITE_CORRUPT: "is damaged; restore a backup",
  SQLITE_FULL: "has no space left on its disk",
  SQLITE_IOERR: "cannot be read or written: its disk failed",
  SQLITE_PROTOCOL: "cannot be locked: its file system does not do that",
};

/**
 * Why the database cannot be used: one sentence for the operator that names the variable to check. Undefined if waiting
 * may help or the error is not a database error. Never contains the password.
 */
export function explainFault(error: unknown): string | undefined {
  const { code, why, routine } = (error ?? {}) as { code?: string; why?: string; routine?: string };
  if (code === UNFIT) return `The database at ${databaseLocation()} ${why}`;
  // The same code as for a user that may not log in, but from the rules of pg_hba.conf.
  if (code === "28000" && routine === "ClientAuthentication")
    return (
      `The database at ${databaseLocation()} does not accept this connection (pg_hba.conf): ` +
      `${encryptionAdvice()}, or let ` +
      "the server's operator allow this user, database and machine."
    );
  if (isUnreadableFile(error))
    return (
      `The file ${error.path} that DATABASE_URL names cannot be read (${error.code}): correct sslrootcert, ` +
      "sslcert or sslkey."
    );
  const codes = errorCodes(error);
  for (const code of codes) {
    const sentence = env.DATABASE_URL ? (POSTGRES[code]?.(databaseLocation()) ?? explainCertificate(code)) : undefined;
    if (sentence) return sentence;
    const kind = isStorageFull(error) ? FULL : /^SQLITE_[A-Z]+/.exec(code)?.[0];
    const reason = env.DATABASE_URL ? undefined : SQLITE[kind ?? ""];
    if (reason) {
      // There, a failure says nothing of the disk.
      const unfit = /disk failed|locked/.test(reason) ? unfitFileSystem() : undefined;
      if (unfit) return `The database cannot be used: ${unfit}`;
      const advice = reason.endsWith("by this user") ? howToOwnIt() : "";
      return `The database ${databaseLocation()} ${reason}. ${advice}`.trim();
    }
  }
  return undefined;
}

/** Why the embedded database may not work where it is, as a sentence; undefined if nothing is known. */
export const explainPlace = () => (env.DATABASE_URL ? undefined : unfitFileSystem());

/** The driver reads the files named in an address when it connects. */
function isUnreadableFile(error: unknown): error is NodeJS.ErrnoException {
  return Boolean(env.DATABASE_URL) && error instanceof Error && "syscall" in error && error.syscall === "open";
}

/** Why TLS rejects the server, and the ways to fix it. */
function explainCertificate(code: string): string | undefined {
  const others = "or sslmode=no-verify to encrypt without verifying the server";
  if (UNTRUSTED.includes(code))
    return (
      `The database at ${databaseLocation()} uses a certificate that no known authority has signed ` +
      `(${code}): add sslrootcert=/path/to/its/ca.pem to DATABASE_URL, ${others}.`
    );
  if (OTHER_CERTIFICATE.test(code))
    return (
      `The database at ${databaseLocation()} uses a certificate that is not valid for this name or date ` +
      `(${code}): correct the certificate or the name in DATABASE_URL, ${others}.`
    );
  return undefined;
}

/** The other half of what may be wrong with a connection that no rule allows. */
const encryptionAdvice = () =>
  /[?&]ssl(?:mode)?=/.test(env.DATABASE_URL ?? "")
    ? "change sslmode in DATABASE_URL"
    : "if it wants TLS, add sslmode=verify-full to DATABASE_URL";

/** Why all one can do is wait, as a sentence. */
export function explainAbsence(error: unknown): string {
  if (errorCodes(error).includes(READ_ONLY))
    return (
      `The database ${env.DATABASE_URL ? "at " : ""}${databaseLocation()} is read-only (a standby, or its ` +
      "operator stopped all writes)."
    );
  const why = errorCodes(error).join(", ") || (error instanceof Error ? error.message : "");
  const sentence = `The database ${env.DATABASE_URL ? "at " : ""}${databaseLocation()} does not respond (${why}).`;
  return [sentence, explainPlace()].filter(Boolean).join(" ");
}

/** Why a command failed, in one line. The first lines of a database error have the statement's values. */
export const explainFailure = (error: unknown): string =>
  explainFault(error) ??
  (isUnavailable(error)
    ? explainAbsence(error)
    : String(error instanceof Error ? error.message.trim().split("\n").at(-1) : error));

/** The database's location, for people: without user and password. */
function databaseLocation(): string {
  if (!env.DATABASE_URL) return `in DATA_DIR (${env.DATA_DIR}/latchkey.db)`;
  const places = addressesIn(env.DATABASE_URL).map((address) => {
    const { port, searchParams } = new URL(address);
    return `${hostIn(address)}:${searchParams.get("port") || port || 5432}`;
  });
  return `${places.join(", ")} (DATABASE_URL)`;
}

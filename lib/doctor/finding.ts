/** A problem, and what to do about it. */
export interface Finding {
  check:
    | "database"
    | "migrations"
    | "secrets"
    | "tokens"
    | "orphans"
    | "files"
    | "permissions"
    | "clock"
    | "proxies"
    | "passkeys"
    | "mail"
    | "sweep";
  problem: string;
  advice: string;
}

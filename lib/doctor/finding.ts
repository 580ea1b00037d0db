/** Sweeps run every five minutes; what one left for an hour shows that none runs. */
export const SWEPT_WITHIN_MS = 60 * 60_000;
export const SWEEP_ADVICE =
  "Run sweep. The service does so every five minutes; on Vercel, the timer needs CRON_SECRET.";

/** A problem, and what to do about it. */
export interface Finding {
  check:
    | "settings"
    | "database"
    | "room"
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
    | "keys"
    | "sealing"
    | "sweep";
  problem: string;
  advice: string;
}

import { durationInWords } from "@/lib/in-words";
import { SWEEP_EVERY_MS } from "@/lib/stated-bounds";

/** What a sweep left for so long shows that none runs. */
export const SWEPT_WITHIN_MS = 60 * 60_000;
export const SWEEP_ADVICE =
  `Run sweep. The service does so every ${durationInWords(SWEEP_EVERY_MS / 1_000)}; ` +
  "on Vercel, the timer needs CRON_SECRET.";

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

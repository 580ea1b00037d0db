import { execFileSync } from "node:child_process";

/** Earlier ones let a primary that was frozen take its lease back: docs/decisions/synchronous-replication.md. */
export const SAFE_PATRONI = "3.1.2";

/** The version of this machine's Patroni. Throws if it has none. */
export const patroniVersion = () =>
  execFileSync("patroni", ["--version"], { encoding: "utf8" }).trim().replace("patroni ", "");

/** Whether this machine's Patroni loses nothing when a frozen primary wakes. Throws if it has none. */
export const isPatroniSafe = () => patroniVersion().localeCompare(SAFE_PATRONI, "en", { numeric: true }) >= 0;

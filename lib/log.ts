import { pino } from "pino";
import { env } from "./env";

/** Structured log lines on standard output. Never log a token, a code, key data or a whole URL (contract, section 1: secrets). */
export const log = pino({ level: env.LOG_LEVEL, base: undefined });

// Standard output is for the answer alone: what goes wrong is said on standard error by the command itself.
import "../dotenv.mjs";

process.env.LOG_LEVEL = "silent";
// Nobody waits for an answer within seconds, and what the doctor asks takes its time.
process.env.DATABASE_TIMEOUT_SECONDS ??= "60";

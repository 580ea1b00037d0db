// Standard output is for the result only: the command itself prints errors on standard error.
import "../dotenv.mjs";

process.env.LOG_LEVEL = "silent";
// Nobody needs a response within seconds, and the doctor's queries take time.
process.env.DATABASE_TIMEOUT_SECONDS ??= "60";

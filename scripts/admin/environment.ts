// Standard output is for the answer alone: what goes wrong is said on standard error by the command itself.
import "../dotenv.mjs";

process.env.LOG_LEVEL = "silent";

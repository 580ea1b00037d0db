// Imported first: changes to the checkout's folder, and loads unset variables from .env.local, then from .env, as Next
// does. The editors of Windows begin such a file with a byte order mark, which is no part of the first name.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

/** What Node.js reads when it starts, before this file. */
const TOO_LATE = ["NODE_EXTRA_CA_CERTS", "NODE_OPTIONS", "NODE_USE_ENV_PROXY", "NODE_USE_SYSTEM_CA"];

process.chdir(join(import.meta.dirname, ".."));
for (const file of [".env.local", ".env"]) if (existsSync(file)) load(file);

function load(file) {
  const bytes = readFileSync(file);
  if (bytes.includes(0)) {
    console.error(`${file} is not UTF-8 text. Save it again with the encoding UTF-8.`);
    process.exit(1);
  }
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (TOO_LATE.includes(name) && process.env[name] === undefined) {
      console.error(
        `${name} has no effect in ${file}, because Node.js reads it before. Set it in the environment of the service ` +
          "(systemd: Environment=, Docker: environment:).",
      );
      process.exit(1);
    }
    process.env[name] ??= value;
  }
}

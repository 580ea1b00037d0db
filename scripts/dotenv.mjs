// Imported first: changes to the checkout's folder, and loads unset variables from .env.local, then from .env, as Next
// does. The editors of Windows begin such a file with a byte order mark, which is no part of the first name.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

process.chdir(join(import.meta.dirname, ".."));
for (const file of [".env.local", ".env"]) if (existsSync(file)) load(file);

function load(file) {
  const bytes = readFileSync(file);
  if (bytes.includes(0)) {
    console.error(`${file} is not UTF-8 text. Save it again with the encoding UTF-8.`);
    process.exit(1);
  }
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}

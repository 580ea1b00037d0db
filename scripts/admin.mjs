// ./latchkey <command>: runs scripts/admin.ts, as a single file that is made when its sources change.
import "./dotenv.mjs";
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { bundled } from "./bundled.mjs";
import { installedDatabase } from "./installed.mjs";

try {
  await installedDatabase();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const file = await bundled("scripts/admin.ts").catch((error) => {
  if (!["EACCES", "EPERM", "EROFS"].includes(error.code)) throw error;
});
if (file) await import(pathToFileURL(file).href);
else process.exitCode = runUnbundled();

/** Where nothing can be written to node_modules. */
function runUnbundled() {
  const parameters = ["node_modules/tsx/dist/cli.mjs", "scripts/admin.ts", ...process.argv.slice(2)];
  return spawnSync(process.execPath, parameters, { stdio: "inherit" }).status ?? 1;
}

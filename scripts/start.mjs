// npm start: builds if the sources changed, then runs the service in this process. Its script in package.json begins
// with `exec`: npm's shell would not pass a SIGTERM on, and the service would keep running without npm.
import "./dotenv.mjs";
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { upToDateBuild } from "./builds.mjs";

process.env.NODE_ENV = "production";
try {
  process.env.BUILD_DIR = await upToDateBuild(checkConfiguration);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

/** A build takes a minute, so refuse a bad configuration before it. Throws after printing a sentence. */
function checkConfiguration() {
  const { status } = spawnSync(process.execPath, ["node_modules/tsx/dist/cli.mjs", "scripts/check-configuration.ts"], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(1);
}

await import(pathToFileURL(`${process.env.BUILD_DIR}/server.mjs`).href);

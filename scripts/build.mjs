// npm run build: creates the build for `npm start` and `next start`. On Vercel it is Next's own build, and a production
// deployment migrates its database; a preview never does.
import "./dotenv.mjs";
import { spawnSync } from "node:child_process";
import { upToDateBuild } from "./builds.mjs";
import { keepOnlyWhatIsNeeded, refuseEnvironmentFiles } from "./functions.mjs";
import { keyOfActionNames } from "./sources.mjs";

try {
  if (process.env.VERCEL) {
    refuseEnvironmentFiles();
    run("node_modules/tsx/dist/cli.mjs", "scripts/check-configuration.ts");
    process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = keyOfActionNames();
    run("node_modules/next/dist/bin/next", "build");
    keepOnlyWhatIsNeeded();
    if (process.env.VERCEL_ENV === "production") run("node_modules/tsx/dist/cli.mjs", "scripts/migrate.ts");
  } else {
    console.log(`The build is in ${await upToDateBuild()}.`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** Runs a Node.js program that prints its own errors. */
function run(program, parameter) {
  const { status } = spawnSync(process.execPath, [program, parameter], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

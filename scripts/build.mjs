// npm run build: makes the build that `npm start` and `next start` use. On Vercel it is Next's own build, and a production
// deployment brings its database up to date; a preview never does.
import "./dotenv.mjs";
import { execFileSync } from "node:child_process";
import { upToDateBuild } from "./builds.mjs";

try {
  if (process.env.VERCEL) {
    run("node_modules/next/dist/bin/next", "build");
    if (process.env.VERCEL_ENV === "production") run("node_modules/tsx/dist/cli.mjs", "scripts/migrate.ts");
  } else {
    console.log(`The build is in ${await upToDateBuild()}.`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function run(program, parameter) {
  execFileSync(process.execPath, [program, parameter], { stdio: "inherit" });
}

// npm run build: creates the build for `npm start` and `next start`. On Vercel it is Next's own build, and a production
// deployment migrates its database; a preview never does.
import "./dotenv.mjs";
import "./output.mjs";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { upToDateBuild } from "./builds.mjs";
import { keyOfActionNames } from "./sources.mjs";

/** What a function may need at run time. The rest of our code is bundled. */
const PACKED = ["node_modules", ".next", "prisma/migrations"];

try {
  if (process.env.VERCEL) {
    refuseEnvironmentFiles();
    run("node_modules/tsx/dist/cli.mjs", "scripts/check-configuration.ts");
    process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = keyOfActionNames();
    run("node_modules/next/dist/bin/next", "build");
    removeUnneeded();
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

/**
 * Removes from every trace below `build` the files outside the folders above: data, secrets and other files whose paths
 * the code contains.
 */
function removeUnneeded(build = ".next") {
  for (const name of readdirSync(build, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".nft.json")) continue;
    const file = `${build}/${name}`;
    const trace = JSON.parse(readFileSync(file, "utf8"));
    const files = trace.files.filter((path) => isNeeded(resolve(dirname(file), path)));
    writeFileSync(file, JSON.stringify({ ...trace, files }));
  }
}

function isNeeded(file) {
  const path = relative(".", file).split(sep).join("/");
  return PACKED.some((folder) => path.startsWith(`${folder}/`));
}

/** Throws an Error if an environment file exists here: Vercel packs it into every function, whatever a build says. */
function refuseEnvironmentFiles() {
  const files = readdirSync(".").filter((name) => /^\.env(?:$|\.)/.test(name) && name !== ".env.example");
  if (files.length === 0) return;
  throw new Error(
    `${files.join(" and ")} would be packed into every function: move it away, and set its variables in ` +
      "the project's settings on Vercel.",
  );
}

// The files that Vercel packs into the functions: those that a build traces, and nothing else in the folder.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";

/** What a function may need at run time. The rest of our code is bundled. */
const PACKED = ["node_modules", ".next", "prisma/migrations"];

/**
 * Removes from every trace below `build` the files outside the folders above: data, secrets and other files whose paths
 * the code contains.
 */
export function keepOnlyWhatIsNeeded(build = ".next") {
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
export function refuseEnvironmentFiles() {
  const found = readdirSync(".").filter((name) => /^\.env(?:$|\.)/.test(name) && name !== ".env.example");
  if (found.length === 0) return;
  throw new Error(
    `${found.join(" and ")} would be packed into every function: move it away, and set its variables in ` +
      "the project's settings on Vercel.",
  );
}

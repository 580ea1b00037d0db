// The command line as one program, with the packages that it uses in it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The program, and the licences of the packages in it. */
export async function commandLine() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["clients/cli/src/main.ts"],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "warning",
    // Packages in the older format ask for Node's own modules with require().
    banner: { js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);' },
  });
  const used = Object.keys(metafile.inputs).flatMap(
    (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  return { program: outputFiles[0].text, licences: [...new Set(used)].sort().map(licenceOf).join("\n") };
}

function licenceOf(name) {
  const folder = join(ROOT, "node_modules", name);
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "";
  return `${name} ${version}: ${license}\n\n${text.trim()}\n`;
}

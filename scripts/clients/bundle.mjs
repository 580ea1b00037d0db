// The TypeScript client as one module without dependencies, and its types; the command line as one program.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import ts from "typescript";

const SOURCES = join(fileURLToPath(new URL("../..", import.meta.url)), "clients", "typescript", "src");
const ENTRY = join(SOURCES, "latchkey.ts");

/** The module, minified. */
export async function clientModule() {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    minify: true,
    logLevel: "warning",
  });
  return outputFiles[0].text;
}

/** The declarations of all its files in one. Their names differ, so only the imports between them go. */
export function clientTypes() {
  const done = new Set();
  const parts = [];
  const add = (file) => {
    if (done.has(file)) return;
    done.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, name] of text.matchAll(/from "\.\/([\w-]+)";/g)) add(join(dirname(file), `${name}.ts`));
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(text, {
      fileName: file,
      reportDiagnostics: true,
      compilerOptions: { declaration: true, isolatedDeclarations: true, strict: true, target: ts.ScriptTarget.ES2022 },
    });
    if (diagnostics.length > 0)
      throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(diagnostics[0].messageText, " ")}`);
    const isEntry = file === ENTRY;
    const own = outputText
      .replace(/^import [^;]+;\n/gms, "")
      .replace(/^export (?:type )?\{([^}]*)\}(?: from "[^"]+")?;\n/gm, "")
      .replace(/^export declare /gm, isEntry ? "export declare " : "declare ")
      .replace(/^export (?=interface|type|class)/gm, isEntry ? "export " : "")
      // The compiler writes a method with such a name twice.
      .replace(/^ *\[Symbol\.asyncIterator\]: .+\n/gm, "");
    parts.push(own.trim());
  };
  add(ENTRY);
  const { values, types } = exportsOf(readFileSync(ENTRY, "utf8"));
  parts.push(`export { ${values.join(", ")} };`, `export type { ${types.join(", ")} };`);
  return `${parts.filter(Boolean).join("\n")}\n`;
}

/** What the entry exports of its other files: names of values, and of types. */
function exportsOf(text) {
  const [values, types] = [[], []];
  for (const [, isType, list] of text.matchAll(/^export (type )?\{([^}]*)\} from/gm))
    for (const name of list.split(",").map((one) => one.trim()))
      (isType || name.startsWith("type ") ? types : values).push(name.replace("type ", ""));
  return { values, types };
}

/** A loader for the build: the entry of the client becomes the texts of its bundle and of its types. */
export default async function clientLoader() {
  this.addContextDependency(this.context);
  return `export const code = ${JSON.stringify(await clientModule())}, types = ${JSON.stringify(clientTypes())};`;
}

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

/** The name, version and licence of an installed package. */
export function licenceOf(name) {
  const folder = join(ROOT, "node_modules", name);
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "";
  return `${name} ${version}: ${license}\n\n${text.trim()}\n`;
}

// The TypeScript client as one module without dependencies, and its types.
import { readFileSync } from "node:fs";
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

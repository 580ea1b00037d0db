import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

export interface Import {
  /** The importing file, from the root of the repository. */
  from: string;
  /** What it imports: a path from the root without its ending, or the name of a package. */
  to: string;
  isPackage: boolean;
  /** Erased by the compiler. */
  isType: boolean;
}

const OURS = /\.(?:ts|tsx|mjs)$/;

/** Every file of ours in the folders and files named. */
export function sourceFiles(...roots: string[]): string[] {
  return roots.flatMap((root) => {
    if (OURS.test(root)) return [root];
    const entries = readdirSync(root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && OURS.test(entry.name) && !entry.name.endsWith(".d.ts"))
      .map((entry) => join(entry.parentPath, entry.name));
  });
}

/** What a file imports, dynamic imports and re-exports included. */
export function importsOf(from: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, isType: boolean) => {
    if (specifier && ts.isStringLiteralLike(specifier)) found.push({ from, isType, ...resolve(from, specifier.text) });
  };
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    ts.forEachChild(node, visit);
  };
  visit(parse(from));
  return found;
}

/** Whether a file speaks of `process.env` in its code, not in its comments. */
export function readsEnvironment(file: string): boolean {
  let found = false;
  const visit = (node: ts.Node) => {
    if (ts.isPropertyAccessExpression(node) && node.getText() === "process.env") found = true;
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  return !clause.name && names !== undefined && ts.isNamedImports(names) && names.elements.length > 0 && names.elements.every((name) => name.isTypeOnly);
}

function resolve(from: string, specifier: string): { to: string; isPackage: boolean } {
  const path = specifier.startsWith("@/") ? specifier.slice(2) : specifier.startsWith(".") ? join(dirname(from), specifier) : undefined;
  return path === undefined ? { to: specifier, isPackage: true } : { to: normalize(path).replace(OURS, ""), isPackage: false };
}

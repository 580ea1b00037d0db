import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
// 5.9, as for Next: TypeScript 7, which checks our types in a fifth of the time, has no interface for programs yet.
import ts from "typescript";

export interface Import {
  /** The importing file, from the root of the repository. */
  from: string;
  to: string;
  isPackage: boolean;
  isType: boolean;
}

const OURS = /\.(?:ts|tsx|mjs)$/;

export function sourceFiles(...roots: string[]): string[] {
  return roots.flatMap((root) => {
    if (OURS.test(root)) return [root];
    const entries = readdirSync(root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && OURS.test(entry.name) && !entry.name.endsWith(".d.ts"))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/(?:^|\/)(?:node_modules|dist)\//.test(path));
  });
}

const known = new Map<string, Import[]>();

export function importsOf(from: string): Import[] {
  const found = known.get(from) ?? importsIn(from);
  known.set(from, found);
  return found;
}

function importsIn(from: string): Import[] {
  const named = (specifier: ts.Node | undefined, isType = false): Import[] =>
    specifier && ts.isStringLiteralLike(specifier) ? [{ from, isType, ...resolve(from, specifier.text) }] : [];
  const text = readFileSync(from, "utf8");
  // What is imported within a statement, as by `await import()`, is rare.
  const nodes: readonly ts.Node[] = text.includes("import(") ? nodesOf(from, text) : parsed(from, text).statements;
  return nodes.flatMap((node) => {
    if (ts.isImportDeclaration(node)) return named(node.moduleSpecifier, isTypeImport(node.importClause));
    if (ts.isExportDeclaration(node)) return named(node.moduleSpecifier, node.isTypeOnly);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      return named(node.arguments[0]);
    return ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) ? named(node.argument.literal, true) : [];
  });
}

export function withoutEnding(path: string): string {
  return path.replace(OURS, "");
}

/**
 * One cycle for each file that closes one, with its first file repeated at the end. `next`: the imports of each file.
 */
export function circlesOf(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]) => {
    const begin = way.indexOf(file);
    if (begin >= 0) circles.push([...way.slice(begin), file]);
    if (begin >= 0 || done.has(file)) return;
    for (const imported of next.get(file) ?? []) visit(imported, [...way, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return circles;
}

export const readsEnvironment = (file: string): boolean =>
  nodesWith("process.env", file).some(
    (node) => ts.isPropertyAccessExpression(node) && node.getText() === "process.env",
  );

/** The codes of the ApiErrors that a file creates, repeated for each occurrence. */
export const errorsWrittenIn = (file: string): string[] =>
  nodesWith("ApiError", file).flatMap((node) => {
    const code = ts.isNewExpression(node) && node.expression.getText() === "ApiError" ? node.arguments?.[1] : undefined;
    return code && ts.isStringLiteralLike(code) ? code.text : [];
  });

/** All of a file that has this text; nothing of one that has not. */
function nodesWith(lookedFor: string, file: string): ts.Node[] {
  const text = readFileSync(file, "utf8");
  return text.includes(lookedFor) ? nodesOf(file, text) : [];
}

const parsed = (file: string, text: string) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

function nodesOf(file: string, text: string): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(parsed(file, text));
  return found;
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (clause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause?.namedBindings;
  if (clause?.name || !names || !ts.isNamedImports(names)) return false;
  return names.elements.length > 0 && names.elements.every((name) => name.isTypeOnly);
}

function resolve(from: string, specifier: string): { to: string; isPackage: boolean } {
  if (!/^(?:@\/|\.)/.test(specifier)) return { to: specifier, isPackage: true };
  const path = specifier.startsWith("@/") ? specifier.slice(2) : join(dirname(from), specifier);
  return { to: withoutEnding(normalize(path)), isPackage: false };
}

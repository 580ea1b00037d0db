import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
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

export function importsOf(from: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, isType: boolean) => {
    if (specifier && ts.isStringLiteralLike(specifier)) found.push({ from, isType, ...resolve(from, specifier.text) });
  };
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    ts.forEachChild(node, visit);
  };
  visit(parse(from));
  return found;
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

export function readsEnvironment(file: string): boolean {
  let found = false;
  if (!textOf(file).includes("process.env")) return found;
  const visit = (node: ts.Node) => {
    if (ts.isPropertyAccessExpression(node) && node.getText() === "process.env") found = true;
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

export function textsOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

export function exportedNames(file: string): string[] {
  return parse(file).statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? name.text : []));
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement);
    return isNamed && statement.name ? [statement.name.text] : [];
  });
}

/** The codes of the ApiErrors that a file creates, repeated for each occurrence. */
export function errorsWrittenIn(file: string): string[] {
  const found: string[] = [];
  if (!textOf(file).includes("ApiError")) return found;
  const visit = (node: ts.Node) => {
    const code = ts.isNewExpression(node) && node.expression.getText() === "ApiError" ? node.arguments?.[1] : undefined;
    if (code && ts.isStringLiteralLike(code)) found.push(code.text);
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

export function compares(file: string, property: string): boolean {
  const isIt = (node: ts.Node) => ts.isPropertyAccessExpression(node) && node.name.text === property;
  let found = false;
  if (!textOf(file).includes(property)) return found;
  const visit = (node: ts.Node) => {
    if (ts.isBinaryExpression(node) && /^[!=]==?$/.test(node.operatorToken.getText()))
      found ||= isIt(node.left) || isIt(node.right);
    if (ts.isSwitchStatement(node)) found ||= isIt(node.expression);
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

const textOf = (file: string) => readFileSync(file, "utf8");

/** Takes a while: most files can be told by their text that they have nothing of what is looked for. */
function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  return (
    !clause.name &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.length > 0 &&
    names.elements.every((name) => name.isTypeOnly)
  );
}

function resolve(from: string, specifier: string): { to: string; isPackage: boolean } {
  const path = specifier.startsWith("@/")
    ? specifier.slice(2)
    : specifier.startsWith(".")
      ? join(dirname(from), specifier)
      : undefined;
  return path === undefined
    ? { to: specifier, isPackage: true }
    : { to: withoutEnding(normalize(path)), isPackage: false };
}

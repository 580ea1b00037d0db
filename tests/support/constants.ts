import { readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import ts from "typescript";
import { parseEnvironment } from "@/lib/platform/env";
import { sourceFiles } from "./imports";

/** Constants of the code as they are written, also those that nothing exports. */

const FILES = sourceFiles("app", "components", "lib", "server", "clients");
const trees = new Map<string, ts.SourceFile>();
const defaults: Record<string, unknown> = parseEnvironment({});

const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `part-bytes.ts` is `partBytes`, or with its folder `files$partBytes`. */
function isNamed(path: string, name: string): boolean {
  const [file, folder] = name.split("$").toReversed();
  const isIts = folder === undefined || camelCase(basename(dirname(path))) === folder;
  return isIts && camelCase(basename(path).replace(/\.\w+$/, "")) === file;
}

/**
 * The value of an expression like `lifetimes.APPROVE_WITHIN_SECONDS / 60`: constants are named by their file, wherever
 * that is, and settings by `env`, which has their defaults. Throws an Error for what it cannot find.
 */
export function valueOfConstant(expression: string): number {
  const statement = parse("expression.ts", expression).statements[0];
  if (!statement || !ts.isExpressionStatement(statement)) throw new Error(`${expression} is no expression.`);
  return evaluate(statement.expression, (name) => {
    throw new Error(`${name} in ${expression} needs its file: file.${name}.`);
  });
}

function parse(file: string, text = readFileSync(file, "utf8")): ts.SourceFile {
  const known = trees.get(file);
  if (known && file !== "expression.ts") return known;
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  trees.set(file, tree);
  return tree;
}

function evaluate(node: ts.Expression, find: (name: string) => number): number {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return evaluate(node.expression, find);
  if (ts.isIdentifier(node)) return find(node.text);
  if (ts.isBinaryExpression(node)) {
    const [left, right] = [evaluate(node.left, find), evaluate(node.right, find)];
    const results: Record<string, number> = {
      "+": left + right,
      "-": left - right,
      "*": left * right,
      "/": left / right,
    };
    const result = { ...results, "**": left ** right }[node.operatorToken.getText()];
    if (result !== undefined) return result;
  }
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return ofFile(node);
  throw new Error(`This is not evaluated: ${node.getText()}`);
}

/** `env.NAME`, `file.NAME`, `folder$file.NAME`, and what is in an object or a list: `file.NAME.key`, `file.NAME[0]`. */
function ofFile(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): number {
  const [file = "", name = "", ...keys] = node
    .getText()
    .split(/[.[\]]/)
    .filter((part) => part !== "");
  if (file === "env") return Number(defaults[name]);
  const declaring = FILES.filter((path) => isNamed(path, file) && initializerIn(path, name));
  const [path = "", another] = declaring;
  if (path === "" || another) throw new Error(`${node.getText()} is in ${declaring.join(", ") || "no file"}.`);
  return inFile(path, name, keys);
}

function inFile(path: string, name: string, keys: string[] = []): number {
  let value = initializerIn(path, name);
  for (const key of keys) {
    const whole = value && ts.isAsExpression(value) ? value.expression : value;
    const listed = whole && ts.isArrayLiteralExpression(whole) ? whole.elements[Number(key)] : undefined;
    const fields = whole && ts.isObjectLiteralExpression(whole) ? whole.properties : [];
    const field = [...fields].find((one) => one.name?.getText() === key);
    value = listed ?? (field && ts.isPropertyAssignment(field) ? field.initializer : undefined);
  }
  if (!value) throw new Error(`${path} has no ${[name, ...keys].join(".")}.`);
  return evaluate(value, (other) => inFile(initializerIn(path, other) ? path : importedFrom(path, other), other));
}

function initializerIn(path: string, name: string): ts.Expression | undefined {
  for (const statement of parse(path).statements)
    if (ts.isVariableStatement(statement))
      for (const declaration of statement.declarationList.declarations)
        if (declaration.name.getText() === name) return declaration.initializer;
  return undefined;
}

function importedFrom(path: string, name: string): string {
  for (const statement of parse(path).statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    if (!statement.importClause?.namedBindings?.getText().match(new RegExp(`\\b${name}\\b`))) continue;
    const { text } = statement.moduleSpecifier;
    return `${normalize(text.startsWith("@/") ? text.slice(2) : join(dirname(path), text))}.ts`;
  }
  throw new Error(`${path} has no ${name}.`);
}

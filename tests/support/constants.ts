import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { parseEnvironment } from "@/lib/platform/env";
import { sourceFiles } from "./imports";

/** Constants of the code as they are written, also those that nothing exports. */

const FILES = new Map(
  sourceFiles("app", "components", "lib", "server", "clients").map((path) => [path.replace(/\.\w+$/, ""), path]),
);
const PATH = /\b(?:app|components|lib|server|clients)(?:\/[\w.()[\]-]+)*\/[\w-]+(?=\.[A-Z])/g;
const trees = new Map<string, ts.SourceFile>();
const defaults: Record<string, unknown> = parseEnvironment({});

/**
 * The values of expressions like `lib/link/states.APPROVE_WITHIN_SECONDS / 60; COLLECT_WITHIN_SECONDS / 60`: constants
 * are named by their file, without its ending, or are of the file before; settings by `env`, which has their defaults.
 * Throws an Error for what it cannot find.
 */
export function valuesOfConstants(expressions: string): number[] {
  let last = "";
  return parse("expressions.ts", expressions.replace(PATH, '"$&"')).statements.map((statement) => {
    if (!ts.isExpressionStatement(statement)) throw new Error(`${statement.getText()} is no expression.`);
    return evaluate(statement.expression, (file, name, keys) => {
      last = file || last;
      return inFile(FILES.get(last) ?? "", name, keys);
    });
  });
}

/** What a constant of a file is worth; without a file, of the one that was last named. */
type Find = (file: string, name: string, keys: string[]) => number;

function parse(file: string, text = readFileSync(file, "utf8")): ts.SourceFile {
  const known = trees.get(file);
  if (known && file !== "expressions.ts") return known;
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  trees.set(file, tree);
  return tree;
}

function evaluate(node: ts.Expression, find: Find): number {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return evaluate(node.expression, find);
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
  const [, file, rest] = /^(?:(env|"[^"]+")\.)?([\w.[\]]+)$/.exec(node.getText()) ?? [];
  const [name, ...keys] = (rest ?? "").split(/[.[\]]/).filter((part) => part !== "");
  if (!name) throw new Error(`This is not evaluated: ${node.getText()}`);
  return file === "env" ? Number(defaults[name]) : find((file ?? "").replaceAll('"', ""), name, keys);
}

/** Also what is in an object or a list: `NAME.key`, `NAME[0]`. */
function inFile(path: string, name: string, keys: string[]): number {
  if (path === "") throw new Error(`There is no file for ${name}.`);
  let value = initializerIn(path, name);
  for (const key of keys) {
    const whole = value && ts.isAsExpression(value) ? value.expression : value;
    const listed = whole && ts.isArrayLiteralExpression(whole) ? whole.elements[Number(key)] : undefined;
    const fields = whole && ts.isObjectLiteralExpression(whole) ? whole.properties : [];
    const field = [...fields].find((one) => one.name?.getText() === key);
    value = listed ?? (field && ts.isPropertyAssignment(field) ? field.initializer : undefined);
  }
  if (!value) throw new Error(`${path} has no ${[name, ...keys].join(".")}.`);
  return evaluate(value, (_, other, its) =>
    inFile(initializerIn(path, other) ? path : importedFrom(path, other), other, its),
  );
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

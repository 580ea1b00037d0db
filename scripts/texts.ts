// npm run texts: prints every text that people read on pages, in errors, in the admin command and in log lines, by
// file, so that they can be read in one go (docs/words.md).

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** A blank between two letters: anything shorter is a name or a value. */
const SENTENCE = /\p{L}[\p{L}’',.:;!?)”]* +["“(]?\p{L}/u;
/** SQL, SVG paths, class names and other texts for machines. */
const FOR_MACHINES =
  /\b(?:SELECT|INSERT INTO|UPDATE "|DELETE FROM|CREATE|PRAGMA|WHERE|JOIN)\b|^\s*[<{.]|[;{]\n|^npx? |^use \w+$/;

for (const folder of ["app", "components", "lib", "scripts", "server"])
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!/\.(?:tsx?|mjs)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const texts = [...new Set(textsOf(path))];
    if (texts.length > 0) console.log(`${path}\n${texts.map((text) => `  ${text}`).join("\n")}\n`);
  }

/** Each text of a file; "…" stands for what is filled in. An element's text is one, across the elements within it. */
function textsOf(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const add = (text: string) => {
    const line = text.replace(/\s+/g, " ").trim();
    if (SENTENCE.test(line) && !FOR_MACHINES.test(text)) found.push(line);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isJsxElement(node) && node.children.some((child) => ts.isJsxText(child) && child.text.trim())) {
      add(textOf(node));
      node.openingElement.forEachChild(visit);
      node.children.filter((child) => ts.isJsxExpression(child)).forEach(visit);
      return;
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || isSum(node)) {
      add(textOf(node));
      if (ts.isTemplateExpression(node)) for (const { expression } of node.templateSpans) visit(expression);
      return;
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

function isSum(node: ts.Node): node is ts.BinaryExpression {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.PlusToken &&
    [node.left, node.right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side) || isSum(side))
  );
}

function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isJsxText(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
  if (isSum(node)) return textOf(node.left) + textOf(node.right);
  if (ts.isJsxExpression(node)) return node.expression ? textOf(node.expression) : "";
  if (ts.isJsxElement(node)) return node.children.map(textOf).join("");
  return "…";
}

import { relative } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

// A browser's translator replaces text nodes with elements. React can go on with an element whose only child is text,
// because it writes that anew. A text node of its own among others it would change or remove where nobody sees it, or
// fail.

const { Undefined, Null, BooleanLike, StringLike, NumberLike, BigIntLike, Object: Element } = ts.TypeFlags;
/** Reference pages, which never change while they are open. */
const UNCHANGING = /^app\/\(pages\)\/docs\//;

const program = createProgram();
const checker = program.getTypeChecker();
const files = program
  .getSourceFiles()
  .filter(({ fileName }) => fileName.endsWith(".tsx") && !UNCHANGING.test(pathOf(fileName)));

function createProgram(): ts.Program {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, ".");
  return ts.createProgram(
    fileNames.filter((name) => /^(?:app|components)\/|\.d\.ts$/.test(pathOf(name))),
    options,
  );
}

function pathOf(name: string): string {
  return relative(".", name);
}

const partsOf = (type: ts.Type): ts.Type[] =>
  (type.isUnion() ? type.types : [type]).flatMap((part) =>
    checker.isArrayType(part) ? partsOf(checker.getTypeArguments(part as ts.TypeReference)[0] ?? part) : part,
  );
const showsNothing = (part: ts.Type) =>
  (part.isStringLiteral() && part.value === "") || (part.isNumberLiteral() && part.value === 0);
/** What a component is given to show, which its caller puts into elements. */
const isGiven = (type: ts.Type) => partsOf(type).some(({ symbol }) => symbol?.name === "ReactPortal");
const hasText = (type: ts.Type) =>
  !isGiven(type) && partsOf(type).some((part) => part.flags & (StringLike | NumberLike) && !showsNothing(part));
/** An element, or several, or none. */
const comesAndGoes = (type: ts.Type) =>
  isGiven(type) ||
  checker.isArrayType(type) ||
  (partsOf(type).some(({ flags }) => flags & Element) &&
    partsOf(type).some((part) => part.flags & (Undefined | Null | BooleanLike | BigIntLike) || showsNothing(part)));

function mistakeOf(
  parent: ts.JsxElement | ts.JsxFragment,
  child: ts.JsxChild,
  others: ts.JsxChild[],
): string | undefined {
  const isFragment = ts.isJsxFragment(parent);
  const isAlone = others.length === 1;
  if (ts.isJsxText(child) || (ts.isJsxExpression(child) && ts.isStringLiteral(child.expression ?? child))) {
    if (isFragment) return "text in a fragment";
    const before = others.slice(0, others.indexOf(child));
    return before.some((one) => ts.isJsxExpression(one) && one.expression && comesAndGoes(typeOf(one.expression)))
      ? "text behind what comes and goes"
      : undefined;
  }
  if (ts.isJsxExpression(child))
    return child.expression && hasText(typeOf(child.expression)) && (isFragment || !isAlone)
      ? "text that changes, among others"
      : undefined;
  const tag = ts.isJsxElement(child) ? child.openingElement : child;
  if (isAlone || ts.isJsxFragment(tag) || !/^[A-Z]/.test(tag.tagName.getText())) return undefined;
  const returned = checker.getResolvedSignature(tag)?.getReturnType();
  return returned && hasText(returned) ? "a component that is text, among others" : undefined;
}

/** Nobody translates it. */
function isBlank(child: ts.JsxChild): boolean {
  if (ts.isJsxText(child)) return child.text.trim() === "";
  if (!ts.isJsxExpression(child) || !child.expression) return ts.isJsxExpression(child);
  return ts.isStringLiteral(child.expression) && child.expression.text.trim() === "";
}

const typeOf = (expression: ts.Expression) => checker.getTypeAtLocation(expression);

function mistakesIn(file: ts.SourceFile): string[] {
  const found: string[] = [];
  const look = (node: ts.Node) => {
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      const children = node.children.filter((child) => !isBlank(child));
      for (const child of children) {
        const mistake = mistakeOf(node, child, children);
        const { line } = file.getLineAndCharacterOfPosition(child.getStart());
        if (mistake)
          found.push(`${pathOf(file.fileName)}:${line + 1} ${mistake}: ${child.getText().trim().slice(0, 60)}`);
      }
    }
    ts.forEachChild(node, look);
  };
  look(file);
  return found;
}

test("texts that change stand in elements of their own", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(mistakesIn)).toEqual([]);
});

test("what must not be translated says so: codes, and names that people chose", () => {
  const found = files.flatMap((file) =>
    [...file.text.matchAll(/<(?:bdi|code|kbd|pre|samp)(?=[\s>])(?![^<>]*translate=)[^<>]*>/g)].map(
      ([tag]) => `${pathOf(file.fileName)} ${tag}`,
    ),
  );
  expect(found).toEqual([]);
});

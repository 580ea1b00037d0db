import ts from "typescript";

/** A loader for the build: of a page's source it leaves the words that `wordsOfPage` finds, as a module. */
export default function wordsLoader(source) {
  return `export default ${JSON.stringify(wordsOfPage(source))};`;
}

/** The distinct words of the texts in a page's source, in lower case: not those of imports and attributes. */
export function wordsOfPage(source) {
  const texts = [];
  (function visit(node) {
    if (ts.isImportDeclaration(node) || ts.isJsxAttribute(node)) return;
    if (ts.isJsxText(node)) texts.push(node.text.replace(/&\w+;/g, "'"));
    else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  })(ts.createSourceFile("page.tsx", source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX));
  const words =
    texts
      .join(" ")
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}'/_.-]*[\p{L}\p{N}]/gu) ?? [];
  return [...new Set(words)].sort().join(" ");
}

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { openApiDocument } from "@/lib/api/openapi";
import { OURS } from "./ours";

/** What any area may have, and what is in it. */
const COMMON = {
  schema: "what comes in and goes out, and its words",
  queries: "SQL",
  access: "who may",
  limits: "how often, and how much",
  errors: "what it refuses",
  view: "what a page shows",
  operator: "what an operator sees of it",
  sweep: "removing what has expired",
  reseal: "sealing what is stored under another key",
};

/** What users do: a file has the verb's function and all that only it needs. */
const VERBS =
  "accept add approve block change collect confirm create delete examine export find grant import invite list load " +
  "move prove read recover restore revoke search select send update upload use wait write";

/** The things that an area is about, and its parts with an outside of their own. */
const THINGS: Record<string, string> = {
  "lib/keys": "claims data list-queries many offers record until",
  "lib/link": "code device-flow program states",
  "lib/files": "document index pieces zip",
  "lib/accounts":
    "access-tokens context cookies current-user identities mail next-auth one-time-link passkeys passwords providers " +
    "recovery reserved-names role session-cookie sessions sign-in token user validators",
  "lib/accounts/mail": "addresses letters outbox transport",
  "lib/accounts/passkeys": "challenge relying-party",
  "lib/accounts/recovery": "codes invitations links",
  "lib/user-data": "activity archive overview",
  "lib/operator": "audit backup doctor overview rates secrets settings statistics users",
  "lib/operator/audit": "filter page",
  "lib/operator/backup": "format tables",
  "lib/operator/doctor": "data examination finding issuer permissions settings",
  "lib/operator/statistics": "cached count",
  "lib/operator/users": "summaries",
  "lib/api":
    "declaration endpoint error-codes example-values form-endpoint not-found openapi " + "refusal samples under-next",
};
/** Rooms behind the verbs of lib/files, and what is no area: each has words of its own. */
const OWN_WORDS = /^lib\/(?:files\/|platform)/;

test("a file of an area is named by a word that somebody would look for", () => {
  const wrong = readdirSync("lib", { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const folder = entry.parentPath;
    if (folder === "lib" || OWN_WORDS.test(folder)) return [];
    const name = entry.name.replace(/\.(?:ts|json)$/, "");
    const words = [...Object.keys(COMMON), ...VERBS.split(" "), ...(THINGS[folder] ?? "").split(" ")];
    if (words.includes(name) || entry.name === "explanations.json") return [];
    const common = Object.entries(COMMON).map(([word, what]) => `${word} (${what})`);
    return [
      `${join(folder, entry.name)}: put the code where somebody would look for it: ${common.join(", ")}, or the verb ` +
        `that users know. A thing that ${folder} is about may be added to this test.`,
    ];
  });
  expect(wrong).toEqual([]);
});

test("nothing is loose in lib, and no word is left over", () => {
  expect(readdirSync("lib", { withFileTypes: true }).filter((entry) => entry.isFile())).toEqual([]);
  const leftOver = Object.entries(THINGS).flatMap(([folder, things]) => {
    const names = readdirSync(folder).map((name) => name.replace(/\.ts$/, ""));
    return things.split(" ").filter((thing) => !names.includes(thing));
  });
  expect(leftOver).toEqual([]);
});

/** What names of the code say instead (docs/words.md, "In the code"). */
const DIALECT =
  "found sent known asked asker asking taken wanted wish told look judge judged gone typed whole kept made".split(" ");
/** Terms of the field, of a message's or a check's state, and what an API, a cookie or a column is called. */
const TERMS = new RegExp(
  "^(?:(?:.*_)?not_?found|\\w+NotFound|name_?taken.*|username_?taken|identityTaken|isTaken|wellKnown(?:JwksJson)?|" +
    "isKnown|look_alikes|(?:is)?perhapsSent|wholeNumber|passkey_known|TYPED_BY_ROUTE)$",
  "i",
);

/** The names that a file declares, except those of properties, which APIs and columns may prescribe. */
function declaredIn(path: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const isDeclared =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isClassDeclaration(node);
    if (isDeclared && node.name && ts.isIdentifier(node.name)) names.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true));
  return names;
}

test("names are in the field's words", () => {
  const wordsOf = (name: string) =>
    name
      .replace(/([a-z])([A-Z])/g, "$1_$2")
      .toLowerCase()
      .split("_");
  const wrong = OURS.filter((path) => /\.tsx?$/.test(path)).flatMap((path) =>
    declaredIn(path)
      .filter((name) => !TERMS.test(name) && wordsOf(name).some((word) => DIALECT.includes(word)))
      .map((name) => `${path}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

/** What texts say in other words (docs/words.md). */
const FORBIDDEN =
  /\b(?:somebody|anybody|everybody|whoever|at once|answer(?:s|ed|ing)?|belongs into|under way|for good)\b/i;
/** Files that have such words for a reason. */
const ALLOWED: Record<string, string> = {
  "docs/words.md": "lists them",
  "lib/accounts/reserved-names.ts": "has names that nobody may take, not texts",
  "CONTRIBUTING.md": "imports a file of the tests that is called so",
};

/** Whole documents and examples; of code its texts, and of the Python client its comments. */
function textsOf(path: string): string[] {
  const content = readFileSync(path, "utf8");
  if (path.endsWith(".py") && !path.startsWith("examples/")) return content.match(/"""[\s\S]*?"""|#.*/g) ?? [];
  if (!/\.(?:ts|tsx|mjs)$/.test(path) || path.startsWith("examples/")) return content.split("\n");
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    // A text of one word is a name in the code: an event, a key of an object.
    if ((ts.isJsxText(node) || ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) && / /.test(node.text))
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true));
  return texts;
}

const IN = /^(?:(?:app|components|lib|server|scripts|clients|examples|docs|\.github)\/.*|[^/]*)$/;
const TEXTS = /\.(?:ts|tsx|mjs|py|sh|html|md|ya?ml|json|example)$/;
const textFiles = execFileSync("git", ["ls-files"], { encoding: "utf8", maxBuffer: 1 << 24 })
  .split("\n")
  .filter((path) => IN.test(path) && TEXTS.test(path) && path !== "package-lock.json");

test("texts of pages, errors, commands, clients and documents are in the words of docs/words.md", () => {
  const wrong = textFiles.flatMap((path) =>
    textsOf(path).flatMap((text) => (path in ALLOWED || !FORBIDDEN.test(text) ? [] : [`${path}: ${text.trim()}`])),
  );
  expect(wrong).toEqual([]);
  expect(textFiles.length).toBeGreaterThan(700);
  const needless = Object.keys(ALLOWED).filter((path) => !textsOf(path).some((text) => FORBIDDEN.test(text)));
  expect(needless).toEqual([]);
});

test("every apostrophe is the straight one, written as itself", () => {
  expect(textFiles.filter((path) => /[\u2018\u2019]|&(?:apos|rsquo);/.test(readFileSync(path, "utf8")))).toEqual([]);
});

test("what the reference shows of parameters has no mark-up, which it would show as it is", () => {
  const { paths } = openApiDocument(routes, "http://localhost:3000", "1");
  const described = JSON.stringify(paths).match(/"description":"(?:[^"\\]|\\.)*"/g) ?? [];
  expect(described.length).toBeGreaterThan(50);
  expect(described.filter((text) => text.includes("`") && !text.includes("rel="))).toEqual([]);
});

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { valuesOfConstants } from "@/tests/support/constants";
import { markupTextsOf, textsOf } from "@/tests/support/imports";
import { OURS } from "./ours";
import { STATED } from "./stated-numbers";

const SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
const WORDS: Record<string, number> = {
  ...{ a: 1, an: 1, twenty: 20, thirty: 30 },
  ...Object.fromEntries(SMALL.split(" ").map((word, number) => [word, number])),
};
const NUMBER = `(?<![\\w,.])(?:(?:${Object.keys(WORDS).join("|")})\\b|\\d[\\d,]*(?:\\.\\d+)?)`;
const numberIn = (text: string) => WORDS[text.toLowerCase()] ?? Number(text.replaceAll(",", ""));

/** Documents, and what cannot import a constant of the service. */
const FILES = [
  ...["README.md", "SECURITY.md", ".env.example"],
  ...["clients/cli/README.md", "clients/python/README.md", "clients/typescript/README.md"],
  ...["clients/typescript/src/latchkey.ts", "clients/typescript/src/link.ts", "scripts/demo-link-client.ts"],
  ...["clients/python/src/latchkey/client.py", "clients/python/src/latchkey/linking.py"],
  ...readdirSync("examples").map((name) => `examples/${name}`),
  ...readdirSync("docs", { recursive: true, encoding: "utf8" }).flatMap((name) =>
    name.endsWith(".md") ? [`docs/${name}`] : [],
  ),
];
/** Without the signs before comments, so that a sentence may have several lines. */
const textOf = (file: string) => readFileSync(file, "utf8").replace(file === ".env.example" ? /^# /gm : /^ *\* /gm, "");
const texts = new Map(FILES.map((file) => [file, textOf(file)]));

const stated = Object.entries(STATED).flatMap(([constants, sentences]) =>
  [sentences].flat().map((sentence) => ({ sentence, constants })),
);

function patternOf(sentence: string): RegExp {
  const parts = sentence.split("#").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ /g, "\\s+"));
  return new RegExp(parts.join(`(${NUMBER})`), "gi");
}

test.each(stated)("$sentence", ({ sentence, constants }) => {
  const expected = valuesOfConstants(constants);
  const found = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(patternOf(sentence))].map(([, ...numbers]) => ({ file, numbers: numbers.map(numberIn) })),
  );
  expect(found).not.toEqual([]);
  expect(found).toEqual(found.map(({ file }) => ({ file, numbers: expected })));
});

/** Where the sentences above are in a text. */
const covers = (text: string) => {
  const parts = stated.flatMap(({ sentence }) =>
    [...text.matchAll(patternOf(sentence))].map(({ index, 0: found }) => ({ begin: index, end: index + found.length })),
  );
  return (from: number, to = from + 1) => parts.some(({ begin, end }) => begin < to && from < end);
};

const BOUNDS = "docs/security.md, Bounds";
texts.set(BOUNDS, /^## Bounds$.*/ms.exec(texts.get("docs/security.md") ?? "")?.[0] ?? "");

/** Documents of promises, and what in them comes from no constant. */
const PROMISES: Record<string, string[]> = {
  "README.md": ["Link a program in 60 seconds"],
  "SECURITY.md": [],
  ".env.example": [],
  "docs/contract.md": [],
  [BOUNDS]: [],
  "clients/cli/README.md": [],
  "clients/python/README.md": [],
  "clients/typescript/README.md": ["0.5 to 8 seconds"],
};
const DURATION = new RegExp(`(?!an?\\b)${NUMBER}[^\\S\\n]*\\n?[^\\S\\n]+(?:second|minute|hour|day)s?\\b`, "gi");

test.each(Object.entries(PROMISES))("every duration in %s is among those above", (file, others) => {
  const text = others.reduce((rest, other) => rest.replace(other, ""), texts.get(file) ?? "");
  const isCovered = covers(text);
  const loose = [...text.matchAll(DURATION)].filter(({ index }) => !isCovered(index));
  expect(loose.map(({ index }) => text.slice(Math.max(0, index - 60), index + 40))).toEqual([]);
});

/** Rows whose numbers come from no constant: measured, or of a standard. */
const OF_THEIR_OWN = [
  "entries and bytes of the document",
  "the end of a holder's access; those whose access has ended",
  "a user's own quota",
  "wrong passwords, tokens, links and codes",
  "accounts",
  "challenges for passkeys, sign-ins that were begun; sessions, networks of tokens, uploads",
];
const COUNT = new RegExp(`(?!(?:an?|one)\\b)${NUMBER}`, "i");

test("every bound in docs/security.md that has a number is among those above", () => {
  const text = texts.get(BOUNDS) ?? "";
  const isCovered = covers(text);
  const rows = [...text.matchAll(/^\| ([^|]+) \|([^|]*)(?=\|)/gm)].filter(
    ([, what = "", bound = ""]) =>
      COUNT.test(bound.replace(/`[^`]*`|\b[45]\d\d\b/g, "")) && !OF_THEIR_OWN.includes(what),
  );
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter(({ index, 0: row }) => !isCovered(index, index + row.length)).map(([row]) => row)).toEqual([]);
});

const SPELLED = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|ninety";
/** "ten minutes", "24 hours"; a text that ends with a number has its unit in the next one. */
const WRITTEN = new RegExp(
  `\\b(?:(?:one|${SPELLED}|\\d[\\d,]*)(?:\\s+|-)(?:second|minute|hour|day|week)s?\\b|(?:${SPELLED}) $)`,
  "g",
);

/** What these say is their own: each has the number itself beside its words. */
const ALLOWED = [
  "app/(pages)/admin/links/times.ts",
  "app/(pages)/claim/accept-key.tsx",
  "app/(pages)/token-ends.ts",
  "lib/operator/statistics/view.ts",
];

test("pages, errors and messages take durations from their constants (lib/platform/bounds.ts says them)", () => {
  const files = OURS.filter((file) => /^(?:app|components|lib|server|scripts\/admin|clients)\//.test(file));
  const written = files
    .filter((file) => !ALLOWED.includes(file))
    .flatMap((file) => [...textsOf(file), ...markupTextsOf(file)].map((text) => ({ file, text })))
    .flatMap(({ file, text }) => text.match(WRITTEN)?.map((found) => `${file}: ${found}`) ?? []);
  expect(files.length).toBeGreaterThan(500);
  expect(written).toEqual([]);
});

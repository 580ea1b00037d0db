import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Import, readsEnvironment } from "@/tests/support/imports";
import { EVERYTHING, OURS, ourImports, said } from "./ours";

const TO_SQL = "write a statement in the queries.ts of the area, and hand it to sql.";
const read = (file: string) => readFileSync(file, "utf8");

test("Next stays in pages, two rooms of lib/accounts and the process around it", () => {
  const advice =
    "The API's handlers run outside of Next too, where importing it ends the process. Use the web's " +
    "Request and Response.";
  const mayUseNext = new RegExp(
    "^(?:app/(?:\\(pages\\)|api|[\\w-]+\\.tsx?$)|lib/accounts/(?:session|ways-in)/|components/|" +
      "server/(?:actions|gate|pages)\\.ts$|\\w+\\.ts$)",
  );
  const wrong = ourImports.filter(
    ({ from, to, isPackage }) => isPackage && /^next(?:-auth)?(?:\/|$)/.test(to) && !mayUseNext.test(from),
  );
  expect(said(wrong, advice)).toEqual([]);
});

test("no action revalidates a path or tag: Next would put a key into a header that cannot hold it", () => {
  const wrong = OURS.filter(
    (file) => file.startsWith("app/") && /\b(?:revalidate|update)(?:Path|Tag)\(/.test(read(file)),
  );
  const advice = "Use refresh() of next/cache; makeReproducible in scripts/builds.mjs says why.";
  expect(wrong.map((file) => `${file}: ${advice}`)).toEqual([]);
});

test("every token of the design that is used is set, and every token that is set is used", () => {
  const files = ["app", "components"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name) =>
      /\.(?:css|tsx?)$/.test(name) ? [join(folder, name)] : [],
    ),
  );
  const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const set = new Set(found(read("app/tokens.css"), /^\s*(--[\w-]+):/gm));
  const used = new Set(files.flatMap((file) => found(read(file), /var\((--[\w-]+)/g)));
  expect([...set].filter((token) => !used.has(token))).toEqual([]);
  const design =
    /^--(?:text|font|weight|leading|space|radius|quick|calm|ease|layer|ground|surface|sunken|ink|line|accent)/;
  expect([...used].filter((token) => design.test(token) && !set.has(token))).toEqual([]);
});

test("what must not be translated says so: codes, and names that people chose", () => {
  const tag = /<(?:bdi|code|kbd|pre|samp)(?=[\s>])(?![^<>]*translate=)[^<>]*>/g;
  // The reference never changes while it is open, and its code is for programs.
  const files = OURS.filter((file) => file.endsWith(".tsx") && !file.startsWith("app/(pages)/docs/"));
  expect(files.flatMap((file) => (read(file).match(tag) ?? []).map((found) => `${file}: ${found}`))).toEqual([]);
});

/**
 * Actions that give nothing away and destroy nothing, that need what nobody else can set (a password, a file), or that
 * are handed to a component that asks first.
 */
const HARMLESS = new Set(
  [
    "prove requestLink hideNews saveSettings create newFolder rename",
    "examineService readExamination readLiveNumbers recentlyDeleted restoreDeleted foldersIn previewRecovery",
    "continueWithCode continueWithOpener enterAnother createAccount createProviderAccount changeQuotas",
    "remove deleteKeyAsAdmin addHolderAsAdmin revokeHolderAsAdmin",
  ].flatMap((names) => names.split(" ")),
);

const ACTIONS = /\/(?:(?:identity|passkey|sign-up)-)?actions(?:\.ts)?$/;

test("what gives something away, or destroys it, is pressed with a button that ignores a press nobody meant", () => {
  const called = ourImports.filter(
    ({ from, to }) => from.endsWith(".tsx") && ACTIONS.test(to) && !isSteady(read(from)),
  );
  const names = called.flatMap(({ from, to }) => actionsIn(read(from), to).map((name) => ({ from, name })));
  const advice = "Use SteadyButton (`as={SteadyButton}`), ActionDialog or AskButton, or add the action to HARMLESS.";
  const wrong = names.filter(({ name }) => !HARMLESS.has(name));
  expect(wrong.map(({ from, name }) => `${from}: ${name}. ${advice}`)).toEqual([]);
  const used = new Set(names.map(({ name }) => name));
  expect([...HARMLESS].filter((name) => !used.has(name))).toEqual([]);
});

const isSteady = (text: string) => /<(?:SteadyButton|RemoveButton)\b|\bas=\{SteadyButton\}/.test(text) || asks(text);

/** Whether it has an `ActionDialog`, or an `AskButton`, with the usual button, which is a steady one. */
const asks = (text: string) => text.split(/<(?:ActionDialog|AskButton)\b/).length > text.split("as={Button}").length;

/** The actions that a component imports from there. */
function actionsIn(text: string, to: string): string[] {
  const file = to.split("/").at(-1)?.replace(".ts", "") ?? "";
  const imports = new RegExp(`import \\{([^}]*)\\} from "[^"]*/${file}"`).exec(text)?.[1] ?? "";
  return imports.split(",").flatMap((name) => name.trim().replace(/^type .*/, "") || []);
}

test("Prisma stays in lib/ and the scripts that make migrations", () => {
  const advice = "Only lib/ speaks to the database. Write a verb there and call it.";
  const isPrisma = ({ to, isPackage }: Import) =>
    isPackage ? /^(?:@prisma\/|prisma$|prisma\/)/.test(to) : to.startsWith("prisma/");
  const mayUsePrisma = /^(?:lib\/|scripts\/(?:scratch-database|schema-engine)\.ts$|prisma\.config\.ts$)/;
  const wrong = ourImports.filter((found) => isPrisma(found) && !mayUsePrisma.test(found.from));
  expect(said(wrong, advice)).toEqual([]);
});

test("SQL is in the queries.ts of its area, and goes through its own door", () => {
  const raw = OURS.filter((file) => !file.startsWith("lib/platform/db/") && /\$(?:query|execute)Raw/.test(read(file)));
  expect(raw.map((file) => `${file} writes SQL for db. Ask Prisma's client without it, or ${TO_SQL}`)).toEqual([]);
  const mayWriteSql = /^lib\/(?:platform\/db\/|[\w/-]+\/(?:[\w]+-)?queries\.ts$)/;
  const loose = OURS.filter(
    (file) => !mayWriteSql.test(file) && /import[^;]*\b(?:rowShape|sqlChange)\b[^;]*db\/statement"/.test(read(file)),
  );
  expect(loose.map((file) => `${file} writes SQL: ${TO_SQL}`)).toEqual([]);
});

test("process.env is read in lib/platform/env.ts only", () => {
  // Configuration files and scripts run before or beside the service, the command line elsewhere; NEXT_RUNTIME is
  // replaced when Next compiles.
  const mayRead =
    /^(?:lib\/platform\/env\.ts|scripts\/.*|clients\/cli\/.*|(?:next|prisma)\.config\.\w+|instrumentation\.ts)$/;
  const wrong = OURS.filter((file) => !mayRead.test(file) && readsEnvironment(file));
  const advice =
    "reads process.env. Declare the variable in lib/platform/env.ts, explain it in .env.example, and import env.";
  expect(wrong.map((file) => `${file} ${advice}`)).toEqual([]);
});

test("npm builds nothing of a package that is ready-made", () => {
  const found = JSON.parse(read("package-lock.json")).packages["node_modules/better-sqlite3-13"];
  const advice = 'npm install drops "gypfile": false, and without it npm ci needs Python. Write it back.';
  expect(found.gypfile, advice).toBe(false);
});

test("tests that run beside others of their file do not wait by expect.poll, which knows one test at a time", () => {
  const wrong = EVERYTHING.filter((file) => {
    const text = file.startsWith("tests/") && !file.startsWith("tests/project/") ? read(file) : "";
    return /\.concurrent\b/.test(text) && text.includes("expect.poll(");
  });
  expect(wrong).toEqual([]);
});

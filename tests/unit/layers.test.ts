import { expect, test } from "vitest";
import { type Import, importsOf, readsEnvironment, sourceFiles } from "@/tests/support/imports";

interface Room {
  files: RegExp;
  /** What files of this room import of ours, beside their own room. */
  imports: RegExp;
  /** What they import the types of, too. */
  types?: RegExp;
  /** Where the code belongs that wants more. */
  advice: string;
}

const AREAS = "lib/(?:keys|link|files)/";
/** Words that everything above the database speaks: errors, names, addresses, networks, log lines. */
const WORDS = "lib/(?:addresses|errors|ids|log|metrics|network|origin|request-user|usernames)$";
const STORAGE = "lib/(?:db/|env$|(?:network-)?limits$|audit$|tokens$|secrets$|turn-of-others$)";

/** Who may import whom. The first room that matches a file is its own. */
const ROOMS: Room[] = [
  {
    files: /^components\//,
    imports: /^components\//,
    types: /^lib\//,
    advice: "A component gets props and answers markup. Let the page that shows it fetch what it needs, and pass it down.",
  },
  {
    files: /^app\/\(api\)\/(?:health|ready)\//,
    imports: new RegExp(`^(?:lib/http/|lib/db/(?:client|ready)$|${WORDS})`),
    advice: "These routes ask the database whether it answers and is up to date, and nothing else.",
  },
  {
    files: /^(?:app\/|proxy|instrumentation)/,
    imports: new RegExp(`^(?:app/|components/|server/under-next$|lib/http/|${AREAS}|lib/auth/|lib/account/|lib/env$|package\\.json$|${WORDS})`),
    types: /^lib\//,
    advice:
      "A route or page declares and shows. What it wants to do with the database belongs into a verb of lib/keys, lib/link, lib/files, lib/auth or lib/account.",
  },
  {
    files: /^(?:server\/|server\.ts)/,
    imports: new RegExp(
      `^(?:server/|app/\\(api\\)/|lib/http/|lib/db/(?:client|errors|explain|migrate|pooler|postgres|write-ahead-log)$|lib/(?:link|files)/sweep$|lib/auth/(?:claim-identities|secrets-in-use|sessions)$|lib/account/sweep$|lib/(?:audit|configuration|env|garbage-collector|redis|secrets)$|${WORDS})`,
    ),
    advice: "The process listens, sorts requests and stops. What a request does belongs into a route of app/(api) and the area behind it.",
  },
  {
    files: /^lib\/http\//,
    imports: new RegExp(`^(?:lib/http/|lib/auth/caller$|lib/db/errors$|lib/(?:env|(?:network-)?limits|tokens)$|${WORDS})`),
    advice:
      "lib/http reads requests and writes answers for every route alike. What one area does belongs into that area, and reaches lib/http as a declaration.",
  },
  ...["keys", "link", "files"].map((area) => ({
    files: new RegExp(`^lib/${area}/`),
    imports: new RegExp(`^(?:lib/${area}/|${STORAGE}|${WORDS})`),
    types: /^prisma\/generated\/sqlite\/client$/,
    advice: `lib/${area} knows no other area, no request and no session: it gets who and what as arguments. What needs two areas belongs into lib/account; what reads a request, into lib/http; who is calling, into lib/auth.`,
  })),
  {
    files: /^lib\/backup\//,
    imports: new RegExp(`^(?:lib/backup/|lib/data-folder$|${STORAGE}|${WORDS})`),
    advice: "A backup knows tables and columns, not what rows mean. What checks their meaning belongs into lib/doctor.",
  },
  {
    files: /^lib\/doctor\//,
    imports: new RegExp(`^(?:lib/doctor/|lib/data-folder$|${AREAS}|${STORAGE}|${WORDS})`),
    advice: "The doctor looks at what is stored and changes nothing.",
  },
  {
    files: /^lib\/account\//,
    imports: new RegExp(`^(?:lib/account/|${AREAS}|lib/auth/|${STORAGE}|${WORDS})`),
    advice: "lib/account sees the user as a whole: it may use the areas, but reads no request. That belongs into lib/http or a page.",
  },
  {
    files: /^lib\/auth\//,
    imports: new RegExp(`^(?:lib/auth/|${STORAGE}|${WORDS})`),
    advice: "lib/auth knows who is calling and nothing of what they want. What needs an area too belongs into lib/account.",
  },
  {
    files: /^lib\/db\//,
    imports: /^(?:lib\/db\/|lib\/(?:data-folder|env|metrics)$|prisma\/generated\/)/,
    advice: "lib/db opens the database and speaks to it. What the rows mean belongs into the area that owns them.",
  },
  {
    files: /^lib\//,
    imports: new RegExp(`^(?:lib/db/(?:client|pooler)$|lib/(?:data-folder|env|limits|redis|secrets)$|${WORDS})`),
    advice: "The files of lib/ itself are what the areas stand on. What needs an area belongs into it, or into lib/account.",
  },
  {
    files: /^scripts\//,
    imports: /^(?:scripts\/|lib\/|vitest\.config$)/,
    advice: "A script is a door like app/: it reads its arguments and calls lib/.",
  },
];

const OURS = sourceFiles("app", "components", "lib", "server", "scripts", "server.ts", "proxy.ts", "instrumentation.ts", "next.config.mjs", "prisma.config.ts");
const imports = OURS.flatMap(importsOf);
const said = (violations: Import[], advice: string) => violations.map(({ from, to }) => `${from} imports ${to}. ${advice}`);

test("every file of ours imports only what its room may", () => {
  const wrong = ROOMS.flatMap((room, index) => {
    const here = imports.filter(({ from }) => room.files.test(from) && !ROOMS.slice(0, index).some(({ files }) => files.test(from)));
    const isForbidden = ({ to, isPackage, isType }: Import) => !isPackage && !room.imports.test(to) && !(isType && room.types?.test(to));
    return said(here.filter(isForbidden), room.advice);
  });
  expect(wrong).toEqual([]);
  expect(imports.length).toBeGreaterThan(200);
});

test("every file of ours is in a room", () => {
  const configuration = /^(?:next|prisma)\.config\./;
  const homeless = OURS.filter((file) => !configuration.test(file) && !ROOMS.some(({ files }) => files.test(file)));
  expect(homeless.map((file) => `${file} is in none of the rooms of tests/unit/layers.test.ts.`)).toEqual([]);
});

test("Next stays in pages, lib/auth and the process around it", () => {
  const advice = "The API's handlers run outside of Next too, where importing it ends the process. Use the web's Request and Response.";
  const mayUseNext =
    /^(?:app\/\(pages\)\/|app\/api\/|app\/[\w-]+\.tsx?$|lib\/auth\/|components\/|server\/(?:pages|router-state)\.ts$|proxy\.ts$|instrumentation\.ts$)/;
  const wrong = imports.filter(({ from, to, isPackage }) => isPackage && /^next(?:-auth)?(?:\/|$)/.test(to) && !mayUseNext.test(from));
  expect(said(wrong, advice)).toEqual([]);
});

test("Prisma stays in lib/ and the migration script", () => {
  const advice = "Only lib/ speaks to the database. Write a verb there and call it.";
  const isPrisma = ({ to, isPackage }: Import) => (isPackage ? /^(?:@prisma\/|prisma$|prisma\/)/.test(to) : to.startsWith("prisma/"));
  const mayUsePrisma = /^(?:lib\/|scripts\/migration\.ts$|prisma\.config\.ts$)/;
  expect(
    said(
      imports.filter((found) => isPrisma(found) && !mayUsePrisma.test(found.from)),
      advice,
    ),
  ).toEqual([]);
});

test("process.env is read in lib/env.ts only", () => {
  // Configuration files and scripts run before or beside the service; NEXT_RUNTIME is replaced when Next compiles.
  const mayRead = /^(?:lib\/env\.ts|scripts\/.*|(?:next|prisma)\.config\.\w+|instrumentation\.ts)$/;
  const wrong = OURS.filter((file) => !mayRead.test(file) && readsEnvironment(file));
  expect(wrong.map((file) => `${file} reads process.env. Declare the variable in lib/env.ts, explain it in .env.example, and import env.`)).toEqual([]);
});

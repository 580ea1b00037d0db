import { expect, test } from "vitest";
import { circlesOf, type Import, importsOf, sourceFiles, withoutEnding } from "@/tests/support/imports";
import { OURS, ourImports, said } from "./ours";

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
const WORDS =
  "lib/(?:access|addresses|errors|hours|ids|in-words|log|metrics|network|origin|own-host|request-user|" +
  "reserved-names|stated-bounds|" +
  "per-process|short-memory|" +
  "user|usernames)$";
const TOKENS = "lib/access-tokens/";
const RECOVERY = "lib/recovery/";
const NOTICES = "lib/mail/(?:forget-pending|outbox)$|";
const LINKS = "lib/one-time-links/";
const BLOCKS = "lib/blocked-networks/";
const SEALING = "lib/sealing/";
const STORAGE =
  "lib/(?:db/|sealing/|aes-gcm$|env$|(?:leased-|network-)?limits$|audit$|csv$|quotas$|tokens$|secrets$|" +
  "secret-source$|user-kind$|turn-of-others$|zip$)";

/** What an area imports beside what all do. */
const OWN: Record<string, string> = { link: `${TOKENS}|${NOTICES}`, keys: `${LINKS}|` };

/** Who may import whom. The first room that matches a file is its own. */
const ROOMS: Room[] = [
  {
    files: /^components\//,
    imports: /^components\//,
    types: /^lib\//,
    advice:
      "A component gets props and answers markup. Let the page that shows it fetch what it needs, and pass it down.",
  },
  {
    files: /^app\/\(api\)\/(?:health|ready)\//,
    imports: new RegExp(`^(?:lib/http/|lib/db/(?:client|ready)$|${WORDS})`),
    advice: "These routes ask the database whether it answers and is up to date, and nothing else.",
  },
  {
    files: /^(?:app\/|proxy|instrumentation)/,
    imports: new RegExp(
      `^(?:(?:app|components|examples)/|clients/typescript/src/latchkey\\.ts\\?client$|server/under-next$|` +
        `${TOKENS}|${RECOVERY}|${BLOCKS}|lib/(?:account|auth|http|mail|operator|passkeys)/|` +
        `${AREAS}|lib/operator/doctor/settings$|lib/platform/env$|package\\.json$|${WORDS})`,
    ),
    types: /^lib\//,
    advice:
      "A route or page declares and shows. What it wants to do with the database belongs in a verb of " +
      "lib/keys, lib/link, lib/files, lib/auth or lib/account.",
  },
  {
    files: /^(?:server\/|server\.ts)/,
    imports: new RegExp(
      `^(?:server/|app/\\(api\\)/|lib/http/|lib/files/schema$|lib/(?:account|files|link)/sweep$|` +
        "lib/db/(?:client|errors|explain|format|migrate|pooler|postgres|reserve|write-ahead-log)$|" +
        "lib/auth/(?:claim-identities|secrets-in-use|session-cookie|sessions)$|" +
        `lib/link/wait$|lib/operator/access$|${BLOCKS}(?:known|refusal)$|` +
        `lib/(?:audit|configuration|end-of-turn|env|engine-flags|redis|refusals|secrets)$|${WORDS})`,
    ),
    advice:
      "The process listens, sorts requests and stops. What a request does belongs in a route of " +
      "app/(api) and the area behind it.",
  },
  {
    files: /^lib\/http\//,
    imports: new RegExp(
      `^(?:lib/http/|lib/auth/(?:caller|seen)$|${TOKENS}(?:find|use)$|${BLOCKS}(?:known|refusal)$|lib/platform/db/errors$|` +
        `lib/(?:env|(?:network-)?limits|tokens)$|${WORDS})`,
    ),
    advice:
      "lib/http reads requests and writes answers for every route alike. What one area does belongs in " +
      "that area, and reaches lib/http as a declaration.",
  },
  ...["keys", "link", "files"].map((area) => ({
    files: new RegExp(`^lib/${area}/`),
    imports: new RegExp(`^(?:lib/${area}/|${OWN[area] ?? ""}${STORAGE}|${WORDS})`),
    types: /^prisma\/generated\/sqlite\/client$/,
    advice:
      `lib/${area} knows no other area, no request and no session: it gets who and what as arguments. What ` +
      "needs two areas belongs in lib/account; what reads a request, into lib/http; who is calling, into " +
      "lib/auth.",
  })),
  {
    files: /^lib\/blocked-networks\//,
    imports: new RegExp(`^(?:${BLOCKS}|${STORAGE}|${WORDS})`),
    advice:
      "lib/blocked-networks knows which networks are refused. What a request gets then is in lib/http and server.",
  },
  {
    files: /^lib\/sealing\//,
    imports: new RegExp(`^(?:${SEALING}|lib/(?:db/|aes-gcm$|audit$|secrets$|turn-of-others$)|${WORDS})`),
    advice:
      "lib/sealing knows keys that seal, and who has which. What is sealed, and where it is stored, the areas know.",
  },
  {
    files: /^lib\/access-tokens\//,
    imports: new RegExp(`^(?:${TOKENS}|lib/platform/process$|${STORAGE}|${WORDS})`),
    types: /^prisma\/generated\/sqlite\/client$/,
    advice:
      "lib/access-tokens knows tokens and their users. What a program is allowed to do with one is in lib/platform/access.",
  },
  {
    files: /^lib\/passkeys\//,
    imports: new RegExp(`^(?:lib/passkeys/|${NOTICES}${TOKENS}name$|lib/accounts/providers$|${STORAGE}|${WORDS})`),
    advice: "lib/passkeys knows keys and challenges. Who is signed in, and every cookie, belongs in lib/auth.",
  },
  {
    files: /^lib\/recovery\//,
    imports: new RegExp(`^(?:${RECOVERY}|${LINKS}|lib/(?:auth|mail|passkeys)/|${STORAGE}|${WORDS})`),
    advice: "lib/recovery knows how users get in without a password. What needs an area too belongs in lib/account.",
  },
  {
    files: /^lib\/one-time-links\//,
    imports: new RegExp(`^(?:${LINKS}|${STORAGE}|${WORDS})`),
    advice:
      "lib/one-time-links knows how a link is made and guessed at. What it does belongs in lib/recovery, lib/mail or " +
      "lib/keys.",
  },
  {
    files: /^lib\/mail\//,
    imports: new RegExp(`^(?:lib/mail/|${LINKS}|lib/link/program$|lib/platform/process$|` + `${STORAGE}|${WORDS})`),
    types: /^prisma\/generated\/sqlite\/client$/,
    advice: "lib/mail knows addresses, messages and when to send them. What they tell of happens in the areas.",
  },
  {
    files: /^lib\/backup\//,
    imports: new RegExp(`^(?:lib/backup/|lib/platform/data-folder$|prisma/generated/tables$|${STORAGE}|${WORDS})`),
    advice: "A backup knows tables and columns, not what rows mean. What checks their meaning belongs in lib/doctor.",
  },
  {
    files: /^lib\/doctor\//,
    imports: new RegExp(
      "^(?:lib/doctor/|lib/(?:configuration|data-folder|postgres-address|redis)$|" +
        `lib/accounts/passkeys/relying-party$|lib/accounts/mail/transport$|${AREAS}|${STORAGE}|${WORDS})`,
    ),
    advice: "The doctor looks at what is stored and changes nothing.",
  },
  {
    files: /^lib\/account\//,
    imports: new RegExp(
      `^(?:lib/account/|${AREAS}|${TOKENS}|${RECOVERY}|${BLOCKS}|lib/(?:auth|mail|passkeys)/|${STORAGE}|${WORDS})`,
    ),
    types: /^prisma\/generated\/sqlite\/client$/,
    advice:
      "lib/account sees the user as a whole: it may use the areas, but reads no request. That belongs in " +
      "lib/http or a page.",
  },
  {
    files: /^lib\/operator\//,
    imports: new RegExp(
      `^(?:lib/(?:operator|account|auth|backup|doctor|http|mail|passkeys)/|${AREAS}|${TOKENS}|${RECOVERY}|` +
        `lib/(?:configuration|keep-awake)$|${STORAGE}|${WORDS})`,
    ),
    types: /^prisma\/generated\/sqlite\/client$/,
    advice:
      "lib/operator holds what the console and the admin command do alike: it gets who acts and the input as " +
      "arguments. What users do with their own account belongs in lib/account.",
  },
  {
    files: /^lib\/auth\//,
    imports: new RegExp(`^(?:lib/(?:auth|passkeys)/|lib/platform/process$|${NOTICES}${TOKENS}|${STORAGE}|${WORDS})`),
    advice:
      "lib/auth knows who is calling and nothing of what they want. What needs an area too belongs in lib/account.",
  },
  {
    files: /^lib\/db\//,
    imports: new RegExp(
      "^(?:lib/db/|" +
        "lib/(?:data-folder|end-of-turn|env|errors|hours|keep-awake|log|metrics|per-process|postgres-address)$|" +
        "prisma/generated/)",
    ),
    advice: "lib/db opens the database and speaks to it. What the rows mean belongs in the area that owns them.",
  },
  {
    files: /^lib\//,
    types: /^prisma\/generated\/sqlite\/client$/,
    imports: new RegExp(
      "^(?:lib/db/(?:client|insert|pooler|statement)$|" +
        `lib/(?:aes-gcm|data-folder|env|limits|postgres-address|redis|refusals|secrets|secret-source)$|${WORDS})`,
    ),
    advice:
      "The files of lib/ itself are what the areas stand on. What needs an area belongs in it, or into lib/account.",
  },
  {
    files: /^clients\/typescript\//,
    imports: /^clients\/typescript\//,
    advice: "The client is a package of its own: it knows the service by its API alone.",
  },
  {
    files: /^clients\/cli\//,
    imports: /^(?:clients\/(?:cli\/|typescript\/src\/latchkey$)|lib\/files\/document\/(?:fold-case|saved-paths)$)/,
    advice:
      "The command line is built on the client, and knows what everybody knows who installs that. Only the names of " +
      "files outside of the service are the service's own, so that an archive has the same.",
  },
  {
    // The types of the clients are written from the declarations of the routes.
    files: /^scripts\/codegen\.ts$/,
    imports: /^(?:scripts\/|app\/\(api\)\/routes$|lib\/http\/openapi$)/,
    advice: "This script writes down what the code says of itself.",
  },
  {
    files: /^scripts\//,
    imports: /^(?:scripts\/|lib\/|vitest\.config$)/,
    advice: "A script is a door like app/: it reads its arguments and calls lib/.",
  },
];

test("every file of ours imports only what its room may", () => {
  const wrong = ROOMS.flatMap((room, index) => {
    const here = ourImports.filter(
      ({ from }) => room.files.test(from) && !ROOMS.slice(0, index).some(({ files }) => files.test(from)),
    );
    const isForbidden = ({ to, isPackage, isType }: Import) =>
      !isPackage && !room.imports.test(to) && !(isType && room.types?.test(to));
    return said(here.filter(isForbidden), room.advice);
  });
  expect(wrong).toEqual([]);
  expect(ourImports.length).toBeGreaterThan(200);
});

test("every file of ours is in a room", () => {
  const configuration = /^(?:next|prisma)\.config\./;
  const homeless = OURS.filter((file) => !configuration.test(file) && !ROOMS.some(({ files }) => files.test(file)));
  expect(homeless.map((file) => `${file} is in none of the rooms of tests/project/layers.test.ts.`)).toEqual([]);
});

test("there are no import cycles in our files, not even for a type", () => {
  const tested = sourceFiles("bench", "tests").flatMap(importsOf);
  const next = new Map<string, string[]>();
  for (const { from, to, isPackage } of [...ourImports, ...tested])
    if (!isPackage) next.set(withoutEnding(from), [...(next.get(withoutEnding(from)) ?? []), to]);
  expect(
    circlesOf(next).map(
      (circle) => `${circle.join(" imports ")}. What two of them need belongs in a file that imports neither.`,
    ),
  ).toEqual([]);
});

/** What all of lib/files speaks, and its callers too; these files import nothing of it but one another. */
const FILES_WORDS = /^lib\/files\/(?:entry-id|entry-summary|errors|import-report|on-existing|part-bytes|plain-text)$/;
/** The rooms behind the verbs of lib/files. Each imports those after it. */
const FILES_ROOMS = ["import", "change", "index", "pieces", "document"];

test("the rest of the code imports the verbs of lib/files only", () => {
  const advice =
    "What lies in a room of lib/files is its own business. Call the verb in front of it, or write one there; " +
    "docs/architecture.md tells what each room is for.";
  const others = [...ourImports, ...sourceFiles("bench").flatMap(importsOf)];
  const wrong = others.filter(
    ({ from, to }) => !/^(?:lib\/files|clients)\//.test(from) && /^lib\/files\/.+\//.test(to),
  );
  expect(said(wrong, advice)).toEqual([]);
});

test("the rooms of lib/files import in one direction", () => {
  const order = FILES_ROOMS.join(", ");
  const advice =
    `A room imports the words of lib/files and the rooms after it: ${order}. What two rooms need belongs ` +
    "into the later one.";
  const roomOf = (path: string) => /^lib\/files\/([^/]+)\//.exec(path)?.[1];
  const rankOf = (path: string) => FILES_ROOMS.indexOf(roomOf(path) ?? "");
  const inside = ourImports.filter(({ from, to }) => from.startsWith("lib/files/") && to.startsWith("lib/files/"));
  const wrong = inside.filter(({ from, to }) => {
    if (FILES_WORDS.test(to)) return false;
    if (FILES_WORDS.test(from.replace(/\.ts$/, ""))) return true;
    return roomOf(from) !== undefined && (roomOf(to) === undefined || rankOf(to) < rankOf(from));
  });
  expect(said(wrong, advice)).toEqual([]);
  expect(new Set(sourceFiles("lib/files").map(roomOf))).toEqual(new Set([undefined, ...FILES_ROOMS]));
});

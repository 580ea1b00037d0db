import { readFileSync } from "node:fs";
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
/** What every layer above the database may use: errors, names, addresses, networks, log lines, turns of work. */
const WORDS =
  "lib/accounts/(?:errors|identity/(?:reserved-names|user))$|lib/platform/network/|" +
  "lib/platform/(?:access|addresses|bounds|errors|event-loop|fold-case|ids|log|metrics|process|queue|request|time)$|" +
  "lib/platform/user-agent$";
/** All of lib/platform, but for what reads requests and writes responses. */
const PLATFORM = "lib/platform/(?!http/)";
const PRISMA_TYPES = /^prisma\/generated\/sqlite\/client$/;

const read = (file: string) => readFileSync(file, "utf8");

/** What an area imports beside what all do. */
const OWN: Record<string, string> = {
  link: "|lib/accounts/(?:identity/(?:access-tokens/|names$)|ways-in/mail/outbox$)",
  keys: "|lib/accounts/ways-in/(?:limits|one-time-link)$",
};

/** Who may import whom. The first room that matches a file is its own. */
const ROOMS: Room[] = [
  {
    files: /^components\//,
    // These are words and numbers that texts state, and import nothing but units of time.
    imports: /^(?:components\/|lib\/platform\/(?:audit-events|bounds|user-agent)$)/,
    types: /^lib\//,
    advice:
      "A component gets props and answers markup. Let the page that shows it fetch what it needs, and pass it down.",
  },
  {
    files: /^app\/\(api\)\/(?:health|ready)\//,
    imports: new RegExp(`^(?:lib/api/|lib/platform/(?:http/|db/(?:client|ready)$)|${WORDS})`),
    advice: "These routes ask the database whether it answers and is up to date, and nothing else.",
  },
  {
    files: /^(?:app\/|proxy|instrumentation)/,
    imports: new RegExp(
      "^(?:(?:app|components|examples)/|clients/typescript/src/latchkey\\.ts\\?client$|docs/operations\\.md\\?raw$|" +
        "server/under-next$|lib/(?:accounts|api|operator|user-data)/|package\\.json$|" +
        `${AREAS}|lib/platform/(?:http/|env$|requests/results$)|${WORDS})`,
    ),
    types: /^lib\//,
    advice:
      "A route or page declares and shows. What it wants to do with the database belongs in a verb of " +
      "lib/keys, lib/link, lib/files, lib/accounts or lib/user-data.",
  },
  {
    files: /^(?:server\/|server\.ts)/,
    imports: new RegExp(
      "^(?:server/|app/\\(api\\)/|lib/api/|lib/files/schema$|lib/link/wait$|lib/operator/(?:access|secrets|sweep)$|" +
        "lib/accounts/(?:session/session-cookie|ways-in/identities)$|" +
        "lib/platform/(?:audit$|crypto/secrets$|db/|env$|event-loop$|http/|limits/(?:events|refusals)$)|" +
        `package\\.json$|${WORDS})`,
    ),
    advice:
      "The process listens, sorts requests and stops. What a request does belongs in a route of " +
      "app/(api) and the area behind it.",
  },
  {
    files: /^lib\/api\//,
    imports: new RegExp(
      "^(?:lib/api/|lib/accounts/identity/(?:access-tokens/use|seen|token)$|" +
        `lib/(?:files|keys)/errors$|lib/platform/(?:crypto/tokens$|db/errors$|env$|http/|limits/limits$|` +
        `requests/results$)|${WORDS})`,
    ),
    advice:
      "lib/api reads requests and writes responses for every route alike. What one area does belongs in " +
      "that area, and reaches lib/api as a declaration.",
  },
  ...["keys", "link", "files"].map((area) => ({
    files: new RegExp(`^lib/${area}/`),
    imports: new RegExp(`^(?:lib/${area}/|${PLATFORM}|${WORDS}${OWN[area] ?? ""})`),
    types: PRISMA_TYPES,
    advice:
      `lib/${area} knows no other area, no request and no session: it gets who and what as arguments. What ` +
      "needs two areas belongs in lib/user-data; what reads a request, into lib/api; who is calling, into " +
      "lib/accounts.",
  })),
  {
    files: /^lib\/accounts\//,
    imports: new RegExp(`^(?:lib/accounts/|${PLATFORM})`),
    types: PRISMA_TYPES,
    advice:
      "lib/accounts knows who is calling and how they get in, and nothing of what they want. What needs an area " +
      "too belongs in lib/user-data.",
  },
  {
    files: /^lib\/user-data\//,
    imports: new RegExp(`^(?:lib/(?:accounts|user-data)/|${AREAS}|${PLATFORM})`),
    types: PRISMA_TYPES,
    advice:
      "lib/user-data sees all that a user has: it may use the areas, but reads no request. That belongs in " +
      "lib/api or a page.",
  },
  {
    files: /^lib\/operator\/backup\//,
    imports: new RegExp(`^(?:lib/operator/(?:backup/|(?:rotate|secrets)$)|prisma/generated/tables$|${PLATFORM})`),
    advice:
      "A backup knows tables and columns, not what rows mean. What checks their meaning belongs in " +
      "lib/operator/doctor.",
  },
  {
    files: /^lib\/operator\//,
    imports: new RegExp(`^(?:lib/(?:accounts|operator|user-data)/|${AREAS}|${PLATFORM})`),
    types: PRISMA_TYPES,
    advice:
      "lib/operator holds what the console and the admin command do alike, and what runs in the background: it gets " +
      "who acts and the input as arguments. What users do with their own account belongs in lib/user-data.",
  },
  {
    files: /^lib\/platform\/db\//,
    imports: new RegExp(
      "^(?:lib/platform/(?:db/|(?:data-folder|env|errors|event-loop|log|metrics|postgres-address|process|queue|time)$)|" +
        "package\\.json$|prisma/generated)",
    ),
    advice: "lib/platform/db opens the database and speaks to it. What rows mean belongs in the area that owns them.",
  },
  {
    files: /^lib\/platform\//,
    imports: /^(?:lib\/platform\/|package\.json$)/,
    types: PRISMA_TYPES,
    advice: "lib/platform is what the areas stand on. What needs an area belongs in it, or into lib/user-data.",
  },
  {
    files: /^clients\/typescript\//,
    imports: /^clients\/typescript\//,
    advice: "The client is a package of its own: it knows the service by its API alone.",
  },
  {
    files: /^clients\/cli\//,
    imports: new RegExp(
      "^(?:clients/(?:cli/|typescript/src/latchkey$)|lib/files/document/saved-paths$|" +
        "lib/platform/(?:fold-case|safe-text)$)",
    ),
    advice:
      "The command line is built on the client, and knows what everybody knows who installs that. Only the names of " +
      "files outside of the service are the service's own, so that an archive has the same, and what is safe to print.",
  },
  {
    // The types of the clients are written from the declarations of the routes.
    files: /^scripts\/codegen\.ts$/,
    imports: /^(?:scripts\/|app\/\(api\)\/routes$|lib\/api\/openapi$)/,
    advice: "This script writes down what the code says of itself.",
  },
  {
    files: /^scripts\//,
    imports: /^(?:scripts\/|lib\/|package\.json$|vitest\.config$)/,
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

test("no page imports from another page's folder", () => {
  const advice =
    "What two pages share belongs in components, in app/(pages) itself, or in a folder there whose name begins with _.";
  const folderOf = (path: string) => /^app\/\(pages\)\/([^/]+)\//.exec(path)?.[1];
  const wrong = ourImports.filter(({ from, to }) => {
    const folder = folderOf(to);
    return folder !== undefined && !folder.startsWith("_") && folder !== folderOf(from);
  });
  expect(said(wrong, advice)).toEqual([]);
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

/**
 * Areas with rooms. A room imports those after it, and the area's words, which import no room. What lies in lib/files
 * itself are the verbs in front of its rooms.
 */
const WITH_ROOMS = [
  { area: "lib/files", rooms: "import change index pieces document", words: "errors schema" },
  { area: "lib/accounts", rooms: "ways-in session identity", words: "context errors" },
];

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

test.each(WITH_ROOMS)("the rooms of $area import in one direction", ({ area, rooms, words }) => {
  const order = rooms.split(" ");
  const advice =
    `A room imports the words of ${area} and the rooms after it: ${order.join(", ")}. What two rooms need belongs ` +
    "into the later one, or the earlier one hands it in.";
  const inside = ourImports.filter(({ from, to }) => from.startsWith(`${area}/`) && to.startsWith(`${area}/`));
  const placeOf = (path: string) => withoutEnding(path).split("/").slice(2);
  const roomOf = (path: string) => (placeOf(path).length > 1 ? placeOf(path)[0] : undefined);
  const rankOf = (path: string) => order.indexOf(roomOf(path) ?? "");
  const isWord = (path: string) => words.split(" ").includes(placeOf(path).join("/"));
  const wrong = inside.filter(({ from, to }) => {
    if (isWord(to)) return false;
    if (isWord(from)) return true;
    return roomOf(from) !== undefined && (roomOf(to) === undefined || rankOf(to) < rankOf(from));
  });
  expect(said(wrong, advice)).toEqual([]);
  expect(new Set(sourceFiles(area).flatMap((file) => roomOf(file) ?? []))).toEqual(new Set(order));
});

test("lib/accounts reads and writes no table of an area", () => {
  const tables = /\b(?:db|tx|statements)\.(?:blockedGiver|claim|file|holder|key|link|usedLetters)\w*\./;
  const wrong = sourceFiles("lib/accounts").filter((file) => tables.test(read(file)));
  const advice = "The area does it. Call both from lib/user-data or lib/operator, or hand in what is needed.";
  expect(wrong.map((file) => `${file} uses a table of an area. ${advice}`)).toEqual([]);
});

test("an error that only one area throws is in that area", () => {
  const home = "lib/platform/errors.ts";
  const others = OURS.filter((file) => file !== home && file !== "lib/api/error-codes.ts");
  const texts = others.map((file) => ({ area: /^lib\/[\w-]+|^[^/]+/.exec(file)?.[0] ?? "", text: read(file) }));
  const errors = [...read(home).matchAll(/^export const (\w+) = /gm)].map(([, name = ""]) => name);
  expect(errors.length).toBeGreaterThan(15);
  const misplaced = errors.flatMap((name) => {
    const isThrown = new RegExp(`\\b${name}\\(`);
    const [area = "", ...further] = new Set(texts.flatMap((file) => (isThrown.test(file.text) ? file.area : [])));
    const isOfArea = further.length === 0 && /^lib\/(?:accounts|files|keys|link|operator|user-data)$/.test(area);
    return isOfArea ? `${name} is thrown by ${area} only: put it into its file errors.` : [];
  });
  expect(misplaced).toEqual([]);
});

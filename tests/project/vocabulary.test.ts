import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

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

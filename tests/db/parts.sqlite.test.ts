import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openExplainer } from "@/tests/support/access-paths";
import { STATEMENTS } from "@/tests/support/every-statement";

const HOT = ["accessTokens", "auth", "keys", "listing", "claims", "offers", "link", "pieces", "index"];
/** For operators and after updates, not for users. */
const SELDOM = ["auth.moveIdentities", "link.askersEvents", "link.oldLinks", "link.outcomes", "link.askers"];

/** What each index's first column divides the table by: see docs/scaling.md. */
const PARTS: [index: RegExp, part: string][] = [
  [/^(?:User_tokenHash|AccessToken_hash)_/, "token"],
  [/^User_usernameKey_/, "name"],
  [/^(?:User|UserSummary|FileVersion|AccessToken|AccessTokenNetwork)_pkey$/, "user"],
  [/^(?:Holder_userId|Key_creatorId|FilePiece_userId|BlockedGiver_giverId)_/, "user"],
  [/^(?:FileContent_pkey$|FilePiece_pkey$|FileEntry_)/, "user"],
  [/^(?:Key|Holder|KeyOffer)_pkey$/, "key"],
  [/^(?:ClaimBatch_keyId|ClaimLink_batchId)_/, "key"],
  [/^LinkCode_/, "code"],
];

function partOf(index: string | null): string {
  const [, part] = PARTS.find(([pattern]) => pattern.test(index ?? "")) ?? [];
  if (part === undefined) throw new Error(`Which part is ${index} in? Add it here and to docs/scaling.md.`);
  return part;
}

/** The rows of the document's table, without their head. */
const written = () =>
  [...readFileSync("docs/scaling.md", "utf8").matchAll(/^\| `([\w.]+(?:, [\w ]+)?)` \| ([\w, ]*) \|$/gm)].map(
    ([, name, parts]) => `${name}: ${parts}`,
  );

test("docs/scaling.md says of every hot statement which parts it looks in", async () => {
  const explainer = await openExplainer("chosen by rows");
  const rows: string[] = [];
  for (const area of HOT)
    for (const [name, statement] of Object.entries(STATEMENTS[area] ?? {})) {
      if (SELDOM.includes(`${area}.${name}`)) continue;
      const accesses = await explainer.accessesOf(statement);
      // What only adds rows looks up none: it is in the part of its table's key.
      const parts = [...new Set(accesses.map(({ index }) => partOf(index)))].sort();
      if (parts.length > 0) rows.push(`${area}.${name}: ${parts.join(", ")}`);
    }
  await explainer.close();
  expect(written().sort()).toEqual(rows.sort());
});

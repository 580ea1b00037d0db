import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as auth from "@/lib/accounts/identity/queries";
import * as pieces from "@/lib/files/pieces/queries";
import * as allKeys from "@/lib/keys/list-queries";
import * as keys from "@/lib/keys/queries";
import { hashMasks } from "@/lib/link/code";
import * as link from "@/lib/link/queries";
import { db } from "@/lib/platform/db/client";
import { rowLock } from "@/lib/platform/db/lock";
import { insert, type Statement } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { type Explainer, openExplainer } from "@/tests/support/access-paths";
import { STATEMENTS } from "@/tests/support/every-statement";
import { idIn, nameIn } from "@/tests/support/seed/rows";
import { openSeed, seedAll } from "@/tests/support/seed/seed";

// A busy machine may take its time to make the rows.
vi.hoisted(() => Object.assign(process.env, { DATABASE_TIMEOUT_SECONDS: "3600" }));

/** So many that PostgreSQL prefers indexes, as it does with any larger number. */
const USERS = 10_000;
const now = new Date();
const [KEY, USER] = [idIn("key", 5_001), idIn("user", (5_001 * 7919) % USERS)];
const [TOKEN, LINKED, OWNER] = [7, 8, 44].map((n) => idIn("user", n)) as [string, string, string];
const LINK = idIn("link", 33);
const CODE = `${LINK}${LINK}`;
const TOKEN_HASH = `${idIn("token", 1)}${idIn("token", 1)}`;
const PIECE = idIn("piece", 4);
const owned = { id: KEY, creatorId: USER };

/** Tables of a row, or of few. */
const SMALL = ["DataKey", "SigningKey", "Examination", "BlockedNetwork", "Format"];

/** Statements that may go along an index or a table, and why that costs no more in a large database. */
const ALONG: Record<string, string> = {
  "operator/audit/queries.firstAndLast": "both ends of them",
  "operator/queries.creatorsWithout": "everything, because an operator asked for an examination",
  "operator/queries.unsealed": "everything, because an operator asked for an examination",
  // Of an empty database, PostgreSQL's planner cannot know better; the tests below have rows.
  ...(env.DATABASE_URL && {
    "operator/queries.someDocuments": "joined in the order of both, up to a limit",
    "operator/users/queries.nextUsers": "joined in the order of both, up to a limit",
    "operator/audit/queries.accounts": "joined to a list of unknown length",
    "keys/queries.reseal": "joined to a list of unknown length",
    "keys/list-queries.foldNames": "joined to a list of unknown length",
    "platform/crypto/queries.removeFormer": "an anti-join, of which the other side is chosen by rows",
  }),
};

test("no statement reads a table that grows from its beginning to its end", async () => {
  // Before there are rows: what indexes allow does not depend on them.
  const explainer = await openExplainer("what indexes allow");
  const along: string[] = [];
  for (const [area, statements] of Object.entries(STATEMENTS))
    for (const [name, statement] of Object.entries(statements)) {
      const accesses = await explainer.accessesOf(statement);
      const isLong = accesses.some(({ table, isSearched }) => !isSearched && !SMALL.includes(table));
      if (isLong) along.push(`${area}.${name}`);
    }
  await explainer.close();
  expect(along.filter((name) => ALONG[name] === undefined)).toEqual([]);
});
let tokenHash = "";

/** A hot statement, and the most rows that it may look at. */
type Hot = [name: string, statement: () => Statement, rows: number];

const HOT: Hot[] = [
  ["what askers leave in the trail", () => link.requesterEvents(0, 50), 60],
  ["a caller", () => auth.userByToken(tokenHash), 1],
  ["a program's token", () => auth.tokenByHash(TOKEN_HASH), 2],
  ["a token's use", () => auth.markUsed(idIn("token", 1), now, now), 1],
  ["caller and key", () => keys.callerAndKeyById(tokenHash, KEY), 4],
  ["a key", () => keys.keyById(USER, KEY), 3],
  ["who holds it", () => keys.holding(nameIn(5), KEY), 2],
  ["keys held", () => keys.heldKeys(USER, { limit: 100 }), 12],
  ["holders", () => keys.holders(KEY), 4],
  ["a change", () => keys.updates.name(owned, "name", now), 1],
  ["new data", () => keys.updates.data(owned, { data: "data", sealedWith: 1, dataBytes: 4 }, now), 1],
  ["its size", () => keys.sizedKey(owned), 1],
  ["longer data", () => keys.updateData(KEY, { data: "data", sealedWith: 1, dataBytes: 4 }, now), 1],
  ["a lock", () => rowLock.key(KEY), 1],
  ["a code", () => link.linkByCode(CODE), 2],
  ["a code that does not exist", () => link.linkByCode(newId()), 0],
  ["a code's secret", () => link.bind(LINK, now), 1],
  ["a repeated collection", () => link.repeat(LINK, 1, now), 1],
  ["codes that are waited for", () => link.watchedLinks([LINK]), 2],
  ["a document", () => pieces.newestVersion(OWNER), 1],
  [
    "its pieces",
    () => pieces.piecesBetween({ userId: OWNER, version: 1 }, { after: 0n, before: 2n ** 60n, limit: 100 }),
    1,
  ],
  ["their bytes", () => pieces.contents([PIECE]), 1],
];

describe("with rows", () => {
  let explainer: Explainer;
  beforeAll(async () => {
    const seed = openSeed();
    await seedAll(seed, { users: USERS, keys: USERS, events: USERS }).finally(seed.close);
    tokenHash = (await db.user.findUniqueOrThrow({ where: { id: USER } })).tokenHash;
    explainer = await openExplainer("chosen by rows");
  });
  afterAll(() => explainer.close());

  test("every hot statement searches indexes, and looks at as few rows as it must", async () => {
    for (const [name, statement, most] of HOT) {
      const accesses = await explainer.accessesOf(statement());
      expect([name, accesses.every(({ isSearched }) => isSearched)]).toEqual([name, true]);
      const rows = (await explainer.rowsLookedAt(statement())) ?? 0;
      expect([name, rows]).toEqual([name, Math.min(rows, most)]);
    }
  });

  test("a new code looks at no other rows", async () => {
    const masks = { linkId: LINK, ...hashMasks("KMTRWB") };
    expect(await explainer.accessesOf(insert("LinkMask", masks))).toEqual([]);
  });

  test("an operator's list of all keys is read from an index in its order", async () => {
    const now = { value: String(Date.now()), id: "f".repeat(32) };
    const lists: [index: string, list: typeof allKeys.latestKeys][] = [
      ["Key_createdAt_id_idx", allKeys.latestKeys],
      ["Key_creatorId_createdAt_id_idx", (...page) => allKeys.keysCreatedBy(TOKEN, ...page)],
      ["Holder_userId_keyCreatedAt_keyId_idx", (...page) => allKeys.keysHeldBy(TOKEN, ...page)],
      ["Key_by_name", (limit, after) => allKeys.keysNamed("lic", limit, after && { ...after, value: "licence 12" })],
      [
        "Key_by_name",
        (limit, after) => allKeys.keysNamedBefore("l\u0130", limit, after && { ...after, value: "l\u0130c" }),
      ],
    ];
    for (const [index, list] of lists)
      for (const query of [list(26, undefined), list(26, now)]) {
        const accesses = await explainer.accessesOf(query);
        expect(accesses.map((access) => access.index)).toContain(index);
        expect([index, accesses.every((access) => access.isSearched || access.index === index)]).toEqual([index, true]);
        expect([index, await explainer.isSorting(query)]).toEqual([index, false]);
      }
  });

  test("the sweep of names reads only what it has to fold", async () => {
    const accesses = await explainer.accessesOf(allKeys.namesToFold(500));
    expect(accesses.map(({ index, isSearched }) => [index, isSearched])).toEqual([["Key_to_fold", true]]);
    expect(await explainer.isSorting(allKeys.namesToFold(500))).toBe(false);
  });

  test("the people of these statements exist", async () => {
    expect(await db.user.count({ where: { id: { in: [USER, TOKEN, LINKED, OWNER] } } })).toBe(4);
    expect(await db.key.count({ where: { creatorId: TOKEN } })).toBeGreaterThan(5);
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import * as accessTokens from "@/lib/access-tokens/rows";
import * as auth from "@/lib/auth/rows";
import { db } from "@/lib/db/client";
import { insert } from "@/lib/db/insert";
import { rowLock } from "@/lib/db/lock";
import type { Statement } from "@/lib/db/statement";
import { env } from "@/lib/env";
import * as pieces from "@/lib/files/pieces/rows";
import { newId } from "@/lib/ids";
import * as keys from "@/lib/keys/rows";
import { hashMasks } from "@/lib/link/hashes";
import * as link from "@/lib/link/rows";
import { idIn, nameIn } from "@/scripts/seed-console/dialect";
import { openSeed, seedAll } from "@/scripts/seed-console/seed";
import { type Explainer, openExplainer } from "@/tests/support/access-paths";

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

let explainer: Explainer;
let tokenHash = "";
beforeAll(async () => {
  const seed = openSeed();
  await seedAll(seed, { users: USERS, keys: USERS, events: USERS }).finally(seed.close);
  tokenHash = (await db.user.findUniqueOrThrow({ where: { id: USER } })).tokenHash;
  explainer = await openExplainer("chosen by rows");
});
afterAll(async () => {
  await explainer.close();
  // Everything of theirs goes with them, but for codes and events.
  await db.user.deleteMany();
  await Promise.all([db.linkCode.deleteMany(), db.auditEvent.deleteMany()]);
});

/** A hot statement, the indexes that it is answered from, and the most rows that it may look at. */
type Hot = [name: string, statement: () => Statement, indexes: string[], rows: number];

const HOT: Hot[] = [
  ["what askers leave in the trail", () => link.askersEvents(0, 50), ["AuditEvent_actorId_id_idx"], 60],
  ["a caller", () => auth.userByToken(tokenHash), ["User_tokenHash_key"], 1],
  ["a program's token", () => accessTokens.tokenByHash(TOKEN_HASH), ["AccessToken_hash_key", "User_pkey"], 2],
  ["a token's use", () => accessTokens.markUsed(idIn("token", 1), now, now), ["AccessToken_pkey"], 1],
  [
    "caller and key",
    () => keys.callerAndKeyById(tokenHash, KEY),
    ["Holder_pkey", "Key_pkey", "User_pkey", "User_tokenHash_key"],
    4,
  ],
  ["a key", () => keys.keyById(USER, KEY), ["Holder_pkey", "Key_pkey", "User_pkey"], 3],
  ["who holds it", () => keys.holding(nameIn(5), KEY), ["Holder_pkey", "User_usernameKey_key"], 2],
  [
    "keys held",
    () => keys.heldKeys(USER, 100, undefined),
    ["Holder_userId_keyCreatedAt_keyId_idx", "Key_pkey", "User_pkey"],
    12,
  ],
  ["holders", () => keys.holders(KEY), ["Holder_pkey", "User_pkey"], 4],
  ["a change", () => keys.updates.name(owned, "name", now), ["Key_pkey"], 1],
  [
    "new data of a known creator",
    () =>
      keys.updates.dataByToken(
        KEY,
        { data: "data", sealedWith: 1, dataBytes: 4 },
        { id: USER, username: "", role: "user", tokenHash },
        now,
      ),
    ["Key_pkey", "User_tokenHash_key"],
    2,
  ],
  ["its size", () => keys.sizedKey(owned), ["Key_pkey"], 1],
  ["longer data", () => keys.updateData(KEY, { data: "data", sealedWith: 1, dataBytes: 4 }, now), ["Key_pkey"], 1],
  ["a lock", () => rowLock.key(KEY), ["Key_pkey"], 1],
  ["a code", () => link.linkByCode(CODE), ["LinkCode_codeHash_key", "User_pkey"], 2],
  ["a code that does not exist", () => link.linkByCode(newId()), ["LinkCode_codeHash_key", "User_pkey"], 0],
  ["a code's secret", () => link.bind(LINK, now), ["LinkCode_pkey"], 1],
  ["a repeated collection", () => link.repeat(LINK, 1, now), ["LinkCode_pkey"], 1],
  ["codes that are waited for", () => link.watchedLinks([LINK]), ["LinkCode_pkey", "User_pkey"], 2],
  ["a document", () => pieces.newestVersion(OWNER), ["FileVersion_pkey"], 1],
  [
    "its pieces",
    () => pieces.piecesBetween({ userId: OWNER, version: 1 }, { after: 0n, before: 2n ** 60n, limit: 100 }),
    ["FilePiece_userId_position_idx"],
    1,
  ],
  ["their bytes", () => pieces.contents([PIECE]), ["FileContent_pkey"], 1],
];

test("every hot statement is answered from these indexes", async () => {
  for (const [name, statement, indexes] of HOT) {
    const accesses = await explainer.accessesOf(statement());
    expect([name, ...new Set(accesses.map(({ index }) => index))].sort()).toEqual([name, ...indexes].sort());
    expect([name, accesses.every(({ isSearched }) => isSearched)]).toEqual([name, true]);
  }
});

test("every hot statement looks at as few rows as it must", async () => {
  for (const [name, statement, , most] of HOT) {
    const rows = await explainer.rowsLookedAt(statement());
    if (env.DATABASE_URL) expect([name, rows ?? Number.NaN, most]).toSatisfy(isWithin);
  }
});

const isWithin = ([, rows, most]: [string, number, number]) => rows <= most;

test("a new code looks at no other rows", async () => {
  const masks = { linkId: LINK, ...hashMasks("KMTRWB") };
  expect(await explainer.accessesOf(insert("LinkMask", masks))).toEqual([]);
});

test("the people of these statements exist", async () => {
  expect(await db.user.count({ where: { id: { in: [USER, TOKEN, LINKED, OWNER] } } })).toBe(4);
});

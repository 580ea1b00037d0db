import { readdirSync } from "node:fs";
import Database from "better-sqlite3";
import { Client } from "pg";
import { beforeAll, expect, test } from "vitest";
import * as accessTokens from "@/lib/access-tokens/rows";
import * as resealing from "@/lib/account/resealing/rows";
import * as account from "@/lib/account/rows";
import * as statistics from "@/lib/account/statistics/rows";
import * as summaries from "@/lib/account/summaries/rows";
import * as auth from "@/lib/auth/rows";
import * as blockedNetworks from "@/lib/blocked-networks/rows";
import { db, Prisma } from "@/lib/db/client";
import { textMaker } from "@/lib/db/sql";
import { type RowShape, SqlChange, SqlQuery, type Statement } from "@/lib/db/statement";
import * as doctor from "@/lib/doctor/rows";
import { env } from "@/lib/env";
import * as index from "@/lib/files/index/rows";
import * as pieces from "@/lib/files/pieces/rows";
import { newId } from "@/lib/ids";
import * as allKeys from "@/lib/keys/all/rows";
import * as claims from "@/lib/keys/claims/rows";
import * as listing from "@/lib/keys/listing/rows";
import * as offers from "@/lib/keys/offers/rows";
import * as keyResealing from "@/lib/keys/resealing/rows";
import * as keys from "@/lib/keys/rows";
import * as link from "@/lib/link/rows";
import * as audit from "@/lib/operator/audit/rows";
import * as operator from "@/lib/operator/rows";
import * as users from "@/lib/operator/users/rows";
import { currentDataKey } from "@/lib/sealing/data-keys";
import * as sealing from "@/lib/sealing/rows";
import { tables } from "@/prisma/generated/tables";
import { makeUser } from "@/tests/support/user";

const now = new Date();
/** What a foreign key asks for. */
const [USER, LINK] = [newId(), newId()];
const range = { parentKey: "p", rank: 1, descending: true, limit: 1 };
const asker = { network: "n", program: "p", webPage: null };
const sealed = { data: "d", sealedWith: 1, dataBytes: 1 };
const passed = { id: 0, passes: 0, resealedTo: "u" };
const owned = { id: "k", creatorId: "u" };
const place = { createdAt: now, id: "i" };
const aLink = { id: "i" } as link.AskedLink;
const approver = { id: "i", tokenHash: "h", tokenSealed: "s" };
const found = Prisma.sql`AND u."username" LIKE ${"a"}`;
const afterKey = { value: "0", id: "i" };
const between = { after: 0, before: 1 };
const usersListed = { kinds: [0, 7], direction: "ascending", limit: 1 } as const;

/** Every statement of every area, with values that find nothing. */
const STATEMENTS: Record<string, Record<string, Statement>> = {
  accessTokens: {
    tokenByHash: accessTokens.tokenByHash("h"),
    markUsed: accessTokens.markUsed("i", now, now),
    rememberNetwork: accessTokens.rememberNetwork("i", "n", 1, now),
    start: accessTokens.start("i", now, now),
  },
  account: {
    eventsAfter: account.eventsAfter(1, 1),
    holdersOfOthers: account.holdersOfOthers("u", 1),
    lastEvent: account.lastEvent(),
    overviewOfUser: account.overviewOfUser("u", now),
    removeHolders: account.removeHolders(["k"], 1),
  },
  sealing: {
    dataKeyById: sealing.dataKeyById(0),
    newestDataKey: sealing.newestDataKey(),
    addDataKey: sealing.addDataKey(0, Buffer.from("w"), now),
    userKeysOf: sealing.userKeysOf(["u"], [1]),
    newestUserKey: sealing.newestUserKey("u"),
    dataKeys: sealing.dataKeys(),
    rewrapDataKey: sealing.rewrapDataKey(0, Buffer.from("w")),
    resealedTo: sealing.resealedTo(passed, "u"),
    endPass: sealing.endPass(passed),
    endResealing: sealing.endResealing(0, now),
    removeFormer: sealing.removeFormer(0),
    everyKeyOf: sealing.everyKeyOf(["u"]),
    userKeysAfter: sealing.userKeysAfter({ userId: "u", number: 1 }, 1),
    addUserKey: sealing.addUserKey(USER, 0, 1, Buffer.from("w"), now),
  },
  resealing: { usersStoring: resealing.usersStoring("u", "u") },
  keyResealing: {
    "keysAfter, of a creator": keyResealing.keysAfter("u"),
    keysAfter: keyResealing.keysAfter({ ...place, creatorId: "u" }),
    toReseal: keyResealing.toReseal("u", "u"),
    reseal: keyResealing.reseal([["k", "u", "before", "data", 1]]),
  },
  statistics: {
    placeMark: statistics.placeMark(),
    passEvents: statistics.passEvents(1, 2),
    passLinks: statistics.passLinks(now, now),
    claimMeasuring: statistics.claimMeasuring(now, now),
    addToHour: statistics.addToHour(now, 0, 0),
    setLinks: statistics.setLinks(now, { asked: 0, linked: 0, denied: 0, expired: 0 }),
    setStored: statistics.setStored(now, { users: 0, keys: 0, keyBytes: 0, fileBytes: 0 }),
    someUsers: statistics.someUsers("u", 1),
    someKeys: statistics.someKeys("u", 1),
    someDocuments: statistics.someDocuments("u", 1),
  },
  summaries: {
    lockedSweep: summaries.lockedSweep(),
    beginSweep: summaries.beginSweep(1, now),
    filledTo: summaries.filledTo("u"),
    countedTo: summaries.countedTo(1),
    sweptAt: summaries.sweptAt(now, now),
    lastOfNext: summaries.lastOfNext("u", 1),
    recount: summaries.recount(summaries.these([USER])),
    "recount, between": summaries.recount(summaries.between(USER, USER)),
    uncountedDocuments: summaries.uncountedDocuments(now, 1),
    creatorsOf: summaries.creatorsOf(["k"]),
    recordedCreatorsOf: summaries.recordedCreatorsOf(["k"]),
  },
  auth: {
    userByToken: auth.userByToken("h"),
    moveIdentities: auth.moveIdentities("a", "b"),
    markSeen: auth.markSeen(["u"], now),
  },
  blockedNetworks: {
    listMark: blockedNetworks.listMark(),
    blocksInForce: blockedNetworks.blocksInForce(now),
  },
  audit: {
    idBeyond: audit.idBeyond({ column: "network", value: "n" }, between, "newest first", 1),
    firstAndLast: audit.firstAndLast(),
    firstFrom: audit.firstFrom(1),
    events: audit.events(undefined, between, { others: [] }, "oldest first", 1),
    "events, by nobody": audit.events(
      { column: "actorId", value: null },
      between,
      { others: [{ column: "network", value: null }], actions: ["a"], since: now, until: now },
      "newest first",
      1,
    ),
    "events, by somebody": audit.events(
      { column: "actorId", value: "u" },
      between,
      { others: [{ column: "network", value: "n" }] },
      "oldest first",
      1,
    ),
    accounts: audit.accounts(["u"]),
  },
  users: {
    idleUsers: users.idleUsers([0, 7], now, 1),
    usersPage: users.usersPage({ ...usersListed, sort: "name", prefix: Buffer.from("a"), after: [Buffer.from("a")] }),
    "usersPage, idle": users.usersPage({
      ...usersListed,
      sort: "bytes",
      seenBefore: now,
      after: [1, Buffer.from("a")],
    }),
  },
  allKeys: {
    latestKeys: allKeys.latestKeys(1, afterKey),
    keysMadeBy: allKeys.keysMadeBy("u", 1, afterKey),
    keysHeldBy: allKeys.keysHeldBy("u", 1, afterKey),
    keysNamed: allKeys.keysNamed("n", 1, afterKey),
  },
  doctor: {
    ...(env.DATABASE_URL && { serverClock: doctor.serverClock() }),
    creatorsWithout: doctor.creatorsWithout(),
    unsealed: doctor.unsealed(),
    keysUnder: doctor.keysUnder([0]),
    usersWithFilesUnder: doctor.usersWithFilesUnder([0]),
  },
  operator: {
    placeExamination: operator.placeExamination("i", now),
    ...(env.DATABASE_URL ? { serverFacts: operator.serverFacts() } : { sqliteVersion: operator.sqliteVersion() }),
  },
  index: {
    entriesInBuckets: index.entriesInBuckets([1], ["i"]),
    foldersWithPaths: index.foldersWithPaths("u", ["p"], 1),
    entriesWithNames: index.entriesWithNames("u", "p", ["61"], 1),
    firstFolder: index.firstFolder("u", "p"),
    entriesInPiece: index.entriesInPiece("p"),
    entriesInPieces: index.entriesInPieces(["p"]),
    entriesInRange: index.entriesInRange({ ...range, order: ["typeKey", "nameKey"], after: ["61", "62", 1] }),
    nodesInFolders: index.nodesInFolders(["p"], 1),
    insertRows: index.insertRows([]),
    removeRows: index.removeRows(["p"]),
  },
  keys: {
    callerAndKeyById: keys.callerAndKeyById("h", "k"),
    keyById: keys.keyById("u", "k"),
    heldKeys: keys.heldKeys("u", 1, place),
    placesAtEnd: keys.placesAtEnd("u", 1, place),
    holders: keys.holders("k"),
    holdersOfEach: keys.holdersOfEach(["k"], 1),
    holdersPage: keys.holdersPage("k", found, 1, 0),
    holdersCount: keys.holdersCount("k", found),
    holding: keys.holding("u", "k"),
    usedBy: keys.usedBy("u"),
    "updates.name": keys.updates.name(owned, "n", now),
    "updates.price": keys.updates.price(owned, "1", now),
    "updates.data": keys.updates.data(owned, sealed, now),
    sizedKey: keys.sizedKey(owned),
    updateData: keys.updateData("k", sealed, now),
    takeOff: keys.takeOff("u", "c", "held", 1),
  },
  claims: { linksOf: claims.linksOf("u"), linksOfKey: claims.linksOfKey("k") },
  offers: {
    offerTo: offers.offerTo("k", "u"),
    handOver: offers.handOver("k", USER, sealed, now),
    unhide: offers.unhide("k", "u"),
    removeOffer: offers.removeOffer("k"),
  },
  listing: {
    countHeld: listing.countHeld("u", listing.matching("50% off")),
    heldPage: listing.heldPage("u", Prisma.empty, {
      kind: "given",
      order: { column: "price", isDescending: true },
      total: 1,
      limit: 1,
      offset: 0,
    }),
    heldAfter: listing.heldAfter("u", Prisma.empty, { kind: "made", limit: 1, after: place }),
    holderCounts: listing.holderCounts(["k"]),
    heldOfEach: listing.heldOfEach("u", ["c"]),
  },
  link: {
    linkByCode: link.linkByCode("h"),
    collect: link.collect({ link: aLink, user: approver, title: "word", asker, now }),
    repeat: link.repeat("i", 1, now),
    bind: link.bind("i", now),
    forgettable: link.forgettable(now, 0),
    outcomes: link.outcomes(now, now, now),
    watchedLinks: link.watchedLinks(["i"]),
    enter: link.enter(LINK, USER, "n", now),
    question: link.question({ codeHash: "h", network: "n", webPage: "", program: "p", at: now }),
  },
  pieces: {
    newestVersion: pieces.newestVersion("u"),
    retiredBytesKept: pieces.retiredBytesKept("u"),
    piecesBetween: pieces.piecesBetween({ userId: "u", version: 1 }, { after: 0n, before: 1n, limit: 1 }),
    contents: pieces.contents(["p"]),
    contentsSealedOtherwise: pieces.contentsSealedOtherwise(["p"], 1),
    resealContent: pieces.resealContent({ pieceId: "p", deflated: Buffer.from("d"), sealedWith: 2 }, 1),
    ...(!env.DATABASE_URL && { freePages: pieces.freePages() }),
  },
};

beforeAll(async () => {
  await makeUser({ id: USER });
  await currentDataKey();
  const life = { createdAt: now, expiresAt: now };
  await db.linkCode.create({ data: { id: LINK, status: "denied", network: "n", program: "p", ...life } });
});

/** Each area's `rows.ts`. */
const MODULES: Record<string, [file: string, module: object]> = {
  accessTokens: ["access-tokens", accessTokens],
  account: ["account", account],
  allKeys: ["keys/all", allKeys],
  audit: ["operator/audit", audit],
  auth: ["auth", auth],
  blockedNetworks: ["blocked-networks", blockedNetworks],
  claims: ["keys/claims", claims],
  doctor: ["doctor", doctor],
  index: ["files/index", index],
  keys: ["keys", keys],
  link: ["link", link],
  listing: ["keys/listing", listing],
  offers: ["keys/offers", offers],
  operator: ["operator", operator],
  pieces: ["files/pieces", pieces],
  resealing: ["account/resealing", resealing],
  keyResealing: ["keys/resealing", keyResealing],
  sealing: ["sealing", sealing],
  statistics: ["account/statistics", statistics],
  summaries: ["account/summaries", summaries],
  users: ["operator/users", users],
};
/** What is exported beside statements. */
const OTHERS = [
  ["matching", "startingAfter", "hasKey", "hasLink", "storedEntry", "ofVersion", "LIVE", "LIVE_SQL"],
  ["MARK", "these", "between", "listPlace"],
].flat();
/** What only the other database has. */
const ELSEWHERE = env.DATABASE_URL
  ? ["integrity", "orphans", "freePages", "sqliteVersion"]
  : ["serverClock", "serverFacts"];

test("no file of statements is forgotten here", () => {
  const files = readdirSync("lib", { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?:^|\/)rows\.ts$/.test(file),
  );
  expect(
    Object.values(MODULES)
      .map(([folder]) => `${folder}/rows.ts`)
      .sort(),
  ).toEqual(files.sort());
});

test("every statement of the areas is looked at here", () => {
  for (const [area, [, module]] of Object.entries(MODULES)) {
    const exported = Object.entries(module).flatMap(([name, value]) =>
      typeof value === "object" && name === "updates" ? Object.keys(value).map((one) => `updates.${one}`) : [name],
    );
    const here = exported.filter((name) => !OTHERS.includes(name) && !ELSEWHERE.includes(name));
    const looked = Object.keys(STATEMENTS[area] ?? {}).map((name) => name.replace(/, .*/, ""));
    expect([area, ...new Set(looked)].sort()).toEqual([area, ...here].sort());
  }
});

const DATABASE = env.DATABASE_URL ? "postgresql" : "sqlite";

/** What a column of each kind of Prisma's models is in the databases; null where SQLite does not tell. */
const TYPES: Record<string, { sqlite: unknown[]; postgresql: unknown[] }> = {
  String: { sqlite: ["TEXT", null], postgresql: [25] },
  Int: { sqlite: ["INTEGER", null], postgresql: [23] },
  BigInt: { sqlite: ["BIGINT", "INTEGER", null], postgresql: [20] },
  Boolean: { sqlite: ["BOOLEAN"], postgresql: [16] },
  DateTime: { sqlite: ["DATETIME"], postgresql: [1114] },
  Bytes: { sqlite: ["BLOB"], postgresql: [17] },
  integer: { sqlite: [null], postgresql: [20, 23] },
  text: { sqlite: ["TEXT", null], postgresql: [25, 1043] },
};

/** The types that each column of a shape may have, by the models. */
function typesOf({ tables: aliases, columns }: RowShape<unknown>): Record<string, unknown[]> {
  const kindOf = (column: string) => {
    const [alias = "", field] = column.split(".");
    const model = tables.find((table) => table.name === aliases[alias]?.replace("?", ""));
    return model?.columns.find((one) => one.name === field)?.kind ?? `no column ${column}`;
  };
  return Object.fromEntries(
    Object.entries(columns).map(([name, of]) => [
      name,
      TYPES[typeof of === "string" ? kindOf(of) : of.kind]?.[DATABASE] ?? [of],
    ]),
  );
}

type Columns = { name: string; type: unknown }[];

/** The columns that the database answers a statement with. */
async function answering(work: (columnsOf: (statement: Statement) => Promise<Columns>) => Promise<void>) {
  if (DATABASE === "sqlite") {
    const textOf = textMaker(() => "?");
    const database = new Database(`${env.DATA_DIR}/latchkey.db`, { readonly: true });
    await work(async (statement) => {
      const prepared = database.prepare(textOf(statement));
      return prepared.reader ? prepared.columns() : [];
    });
    database.close();
    return;
  }
  const textOf = textMaker((n) => `$${n}`);
  const client = new Client(env.DATABASE_URL);
  await client.connect();
  await client.query("BEGIN");
  await work(async (statement) => {
    await client.query("SAVEPOINT one");
    const values = statement.values.map((value) => (value instanceof Date ? value.toISOString() : value));
    const { fields } = await client.query(textOf(statement), values);
    await client.query("ROLLBACK TO one");
    return fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
  });
  await client.query("ROLLBACK");
  await client.end();
}

const shapeOf = (statement: Statement) =>
  statement instanceof SqlQuery || statement instanceof SqlChange ? statement.shape : undefined;

test("the database answers each statement with the columns and types of Prisma's models", async () => {
  await answering(async (columnsOf) => {
    for (const [area, statements] of Object.entries(STATEMENTS))
      for (const [name, statement] of Object.entries(statements)) {
        const columns = await columnsOf(statement);
        const shape = shapeOf(statement);
        const types = shape ? typesOf(shape) : {};
        expect([area, name, columns.map((column) => column.name)]).toEqual([area, name, Object.keys(types)]);
        for (const { name: column, type } of columns)
          expect([area, name, column, types[column]]).toEqual([area, name, column, expect.arrayContaining([type])]);
      }
  });
});

import * as accessTokens from "@/lib/accounts/queries";
import * as auth from "@/lib/accounts/queries";
import * as index from "@/lib/files/index/queries";
import * as pieces from "@/lib/files/pieces/queries";
import * as allKeys from "@/lib/keys/list-queries";
import * as claims from "@/lib/keys/list-queries";
import * as listing from "@/lib/keys/list-queries";
import * as offers from "@/lib/keys/queries";
import * as keyResealing from "@/lib/keys/queries";
import * as keys from "@/lib/keys/queries";
import * as link from "@/lib/link/queries";
import * as audit from "@/lib/operator/audit/queries";
import * as doctor from "@/lib/operator/doctor/queries";
import * as resealing from "@/lib/operator/queries";
import * as operator from "@/lib/operator/queries";
import * as statistics from "@/lib/operator/statistics/queries";
import * as summaries from "@/lib/operator/users/queries";
import * as users from "@/lib/operator/users/queries";
import * as sealing from "@/lib/platform/crypto/queries";
import { Prisma } from "@/lib/platform/db/client";
import type { Statement } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import * as blockedNetworks from "@/lib/platform/network/queries";
import * as account from "@/lib/user-data/queries";

const now = new Date();
/** What a foreign key asks for. */
export const [USER, LINK] = [newId(), newId()];
const range = { parentKey: "p", rank: 1, descending: true, limit: 1 };
const asker = { network: "n", program: "p", webPage: null };
const owned = { id: "k", creatorId: "u" };
const place = { createdAt: now, id: "i" };
const aLink = { id: "i" } as link.AskedLink;
const passed = { id: 0, passes: 0, resealedTo: "u" };
const approver = { id: "i", tokenHash: "h", tokenSealed: "s" };
const found = Prisma.sql`AND u."username" LIKE ${"a"}`;
const afterKey = { value: "0", id: "i" };
const sealed = { data: "d", sealedWith: 1, dataBytes: 1 };
const aName = Buffer.from("a");
const byPrice = { column: "price", isDescending: true } as const;
const usersListed = { kinds: [0, 7], direction: "ascending", limit: 1 } as const;

export const STATEMENTS: Record<string, Record<string, Statement>> = {
  "access-tokens": {
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
  "account/resealing": { usersStoring: resealing.usersStoring("u", "u") },
  "keys/resealing": {
    "keysAfter, of a creator": keyResealing.keysAfter("u"),
    keysAfter: keyResealing.keysAfter({ ...place, creatorId: "u" }),
    toReseal: keyResealing.toReseal("u", "u"),
    reseal: keyResealing.reseal([["k", "u", "before", "data", 1]]),
  },
  "account/statistics": {
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
  "account/summaries": {
    usersWithoutRow: summaries.usersWithoutRow(),
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
  "blocked-networks": { listMark: blockedNetworks.listMark(), blocksInForce: blockedNetworks.blocksInForce(now) },
  "operator/audit": {
    firstAndLast: audit.firstAndLast(),
    firstFrom: audit.firstFrom(1),
    events: audit.events(undefined, 1, "oldest first", 1),
    "events, of a network": audit.events({ column: "network", value: "n" }, 1, "newest first", 1),
    "events, of nobody": audit.events({ column: "actorId", value: null }, 1, "newest first", 1),
    accounts: audit.accounts(["u"]),
  },
  "operator/users": {
    idleUsers: users.idleUsers([0, 7], now, 1),
    usersPage: users.usersPage({ ...usersListed, sort: "name", prefix: aName, after: [aName] }),
    "usersPage, idle": users.usersPage({ ...usersListed, sort: "bytes", seenBefore: now, after: [1, aName] }),
  },
  "keys/all": {
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
  "files/index": {
    entriesInBuckets: index.entriesInBuckets([1], ["i"]),
    foldersWithPaths: index.foldersWithPaths("u", ["p"], 1),
    entriesWithNames: index.entriesWithNames("u", "p", ["61"], 1),
    firstFolder: index.firstFolder("u", "p"),
    entriesInPiece: index.entriesInPiece("p"),
    entriesInPieces: index.entriesInPieces(["p"]),
    entriesInRange: index.entriesInRange({ ...range, order: ["typeKey", "nameKey"], after: ["61", "62", 1] }),
    nodesInFolders: index.nodesInFolders(["p"], 1),
    insertRows: index.insertRows([]),
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
  "keys/claims": { linksOf: claims.linksOf("u"), linksOfKey: claims.linksOfKey("k") },
  "keys/offers": {
    offerTo: offers.offerTo("k", "u"),
    handOver: offers.handOver("k", USER, sealed, now),
    unhide: offers.unhide("k", "u"),
    removeOffer: offers.removeOffer("k"),
  },
  "keys/listing": {
    countHeld: listing.countHeld("u", listing.matching("50% off")),
    heldPage: listing.heldPage("u", Prisma.empty, { kind: "given", order: byPrice, total: 1, limit: 1, offset: 0 }),
    heldAfter: listing.heldAfter("u", Prisma.empty, { kind: "made", limit: 1, after: place }),
    holderCounts: listing.holderCounts(["k"]),
    heldOfEach: listing.heldOfEach("u", ["c"]),
  },
  link: {
    linkByCode: link.linkByCode("h"),
    collect: link.collect({ link: aLink, user: approver, title: "word", asker, now }),
    repeat: link.repeat("i", 1, now),
    bind: link.bind("i", now),
    oldLinks: link.oldLinks({ createdAt: now, id: "i" }, now, 0),
    askersEvents: link.askersEvents(0, 500),
    outcomes: link.outcomes(now, now, now),
    askers: link.askers(now, now),
    watchedLinks: link.watchedLinks(["i"]),
    enter: link.enter(LINK, USER, "n", now),
    question: link.question({ codeHash: "h", network: "n", webPage: "", program: "p", at: now }),
  },
  "files/pieces": {
    newestVersion: pieces.newestVersion("u"),
    retiredBytesKept: pieces.retiredBytesKept("u"),
    piecesBetween: pieces.piecesBetween({ userId: "u", version: 1 }, { after: 0n, before: 1n, limit: 1 }),
    contents: pieces.contents(["p"]),
    contentsToReseal: pieces.contentsToReseal(["p"], 1),
    removeRows: pieces.removeRows("p", 100),
    resealContent: pieces.resealContent({ pieceId: "p", deflated: Buffer.from("d"), sealedWith: 2 }, 1),
  },
};

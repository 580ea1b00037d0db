import * as accounts from "@/lib/accounts/identity/queries";
import * as index from "@/lib/files/index/queries";
import * as pieces from "@/lib/files/pieces/queries";
import * as keyLists from "@/lib/keys/list-queries";
import * as keys from "@/lib/keys/queries";
import { plainFieldNames } from "@/lib/keys/schema";
import * as link from "@/lib/link/queries";
import * as audit from "@/lib/operator/audit/queries";
import * as operator from "@/lib/operator/queries";
import * as users from "@/lib/operator/users/queries";
import * as crypto from "@/lib/platform/crypto/queries";
import { Prisma } from "@/lib/platform/db/client";
import type { Statement } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import * as limits from "@/lib/platform/limits/queries";
import * as network from "@/lib/platform/network/queries";
import * as requests from "@/lib/platform/requests/queries";
import * as userData from "@/lib/user-data/queries";

const now = new Date();
/** What a foreign key asks for. */
export const [USER, LINK] = [newId(), newId()];
const range = { parentKey: "p", rank: 1, descending: true, limit: 1 };
const collection = { network: "n", program: "p", webPage: null, entitlement: "permission", now };
const owned = { id: "k", creatorId: "u" };
const place = { createdAt: now, id: "i" };
const passed = { id: 0, passes: 0, resealedTo: "u" };
const found = Prisma.sql`AND u."username" LIKE ${"a"}`;
const afterKey = { value: "0", id: "i" };
const sealed = { data: "d", sealedWith: 1, dataBytes: 1 };
const aName = Buffer.from("a");
const byPrice = { column: "price", isDescending: true } as const;
const usersListed = { kinds: [0, 7], direction: "ascending", limit: 1 } as const;

export const STATEMENTS: Record<string, Record<string, Statement>> = {
  "accounts/identity/queries": {
    tokenByHash: accounts.tokenByHash("h"),
    markUsed: accounts.markUsed("i", now, now),
    rememberNetwork: accounts.rememberNetwork("i", "n", { limit: 1, now }),
    start: accounts.start("i", now, now),
    userByToken: accounts.userByToken("h"),
    markSeen: accounts.markSeen(["u"], now),
  },
  "files/index/queries": {
    entriesInBuckets: index.entriesInBuckets([1], ["i"]),
    foldersWithPaths: index.foldersWithPaths("u", ["p"], 1),
    entriesWithNames: index.entriesWithNames("u", { parentKey: "p", nameKeys: ["61"], limit: 1 }),
    firstFolder: index.firstFolder("u", "p"),
    entriesInPiece: index.entriesInPiece("p"),
    placesInPiece: index.placesInPiece("p"),
    entriesInPieces: index.entriesInPieces(["p"]),
    entriesInRange: index.entriesInRange({ ...range, order: ["typeKey", "nameKey"], after: ["61", "62", 1] }),
    nodesInFolders: index.nodesInFolders(["p"], 1),
    insertRows: index.insertRows([]),
  },
  "files/pieces/queries": {
    newestVersion: pieces.newestVersion("u"),
    piecesBetween: pieces.piecesBetween({ userId: "u", version: 1 }, { after: 0n, before: 1n, limit: 1 }),
    contents: pieces.contents(["p"]),
    contentsToReseal: pieces.contentsToReseal(["p"], 1),
    removeRows: pieces.removeRows("p", 100),
    resealContent: pieces.resealContent({ pieceId: "p", deflated: Buffer.from("d"), sealedWith: 2 }, 1),
  },
  "keys/list-queries": {
    latestKeys: keyLists.latestKeys(1, afterKey),
    keysCreatedBy: keyLists.keysCreatedBy("u", 1, afterKey),
    keysHeldBy: keyLists.keysHeldBy("u", 1, afterKey),
    keysNamed: keyLists.keysNamed("n", 1, afterKey),
    keysNamedBefore: keyLists.keysNamedBefore("n", 1, afterKey),
    linksOf: keyLists.linksOf("u"),
    linksOfKey: keyLists.linksOfKey("k"),
    countHeld: keyLists.countHeld("u", keyLists.matching("50% off")),
    heldPage: keyLists.heldPage("u", Prisma.empty, { kind: "given", order: byPrice, total: 1, limit: 1, offset: 0 }),
    heldAfter: keyLists.heldAfter("u", Prisma.empty, { kind: "made", limit: 1, after: place }),
    holderCounts: keyLists.holderCounts(["k"]),
    heldOfEach: keyLists.heldOfEach("u", ["c"]),
    namesToFold: keyLists.namesToFold(1),
    foldNames: keyLists.foldNames([["k", "n", "n"]]),
  },
  "keys/queries": {
    "keysAfter, of a creator": keys.keysAfter("u"),
    keysAfter: keys.keysAfter({ ...place, creatorId: "u" }),
    toReseal: keys.toReseal("u", "u"),
    reseal: keys.reseal([["k", "u", "before", "data", 1]]),
    callerAndKeyById: keys.callerAndKeyById("h", "k"),
    keyById: keys.keyById("u", "k"),
    heldKeys: keys.heldKeys("u", { limit: 1, after: place }),
    endOfPage: keys.endOfPage("u", { limit: 1, after: place }),
    holders: keys.holders("k"),
    holdersOfEach: keys.holdersOfEach(["k"], 1),
    holdersPage: keys.holdersPage("k", found, { limit: 1, offset: 0 }),
    holdersCount: keys.holdersCount("k", found),
    holding: keys.holding("u", "k"),
    usedBy: keys.usedBy("u"),
    "updates.data": keys.updates.data(owned, sealed, now),
    ...Object.fromEntries(plainFieldNames.map((field) => [`updates.${field}`, keys.updates[field](owned, "1", now)])),
    sizedKey: keys.sizedKey(owned),
    updateData: keys.updateData("k", sealed, now),
    deleteHoldings: keys.deleteHoldings("u", "c", { which: "held", limit: 1 }),
    offerTo: keys.offerTo("k", "u"),
    changeCreator: keys.changeCreator("k", USER, { ...sealed, now }),
    unhide: keys.unhide("k", "u"),
    removeOffer: keys.removeOffer("k"),
  },
  "link/queries": {
    linkByCode: link.linkByCode("h"),
    collect: link.collect({ id: "i" }, { tokenHash: "h" }, collection),
    repeat: link.repeat("i", 1, now),
    bind: link.bind("i", now),
    oldLinks: link.oldLinks({ createdAt: now, id: "i" }, now, 0),
    requesterEvents: link.requesterEvents(0, 500),
    outcomes: link.outcomes(now, now, now),
    codesByNetwork: link.codesByNetwork(now, now),
    watchedLinks: link.watchedLinks(["i"]),
    enter: link.enter({ linkId: LINK, userId: USER, network: "n", at: now }),
    question: link.question({ codeHash: "h", network: "n", webPage: "", program: "p", at: now }),
  },
  "operator/audit/queries": {
    firstAndLast: audit.firstAndLast(),
    firstFrom: audit.firstFrom(1),
    events: audit.events(undefined, { from: 1, order: "oldest first", limit: 1 }),
    "events, of a network": audit.events(
      { column: "network", value: "n" },
      { from: 1, order: "newest first", limit: 1 },
    ),
    "events, of nobody": audit.events({ column: "actorId", value: null }, { from: 1, order: "newest first", limit: 1 }),
    accounts: audit.accounts(["u"]),
  },
  "operator/queries": {
    lastOfNext: operator.lastOfNext("u", 1),
    usersStoring: operator.usersStoring("u", "u"),
    addExamination: operator.addExamination("i", now),
    ...(env.DATABASE_URL
      ? { serverFacts: operator.serverFacts(), serverClock: operator.serverClock() }
      : { sqliteVersion: operator.sqliteVersion() }),
    creatorsWithout: operator.creatorsWithout(),
    unsealed: operator.unsealed(),
    keysUnder: operator.keysUnder([0]),
    usersWithFilesUnder: operator.usersWithFilesUnder([0]),
    measurementsSince: operator.measurementsSince(now),
    someUsers: operator.someUsers("u", 1),
    someKeys: operator.someKeys("u", 1),
    someDocuments: operator.someDocuments("u", 1),
  },
  "operator/users/queries": {
    nextUsers: users.nextUsers("u", 1),
    recount: users.recount([USER]),
    idleUsers: users.idleUsers([0, 7], now, 1),
    usersPage: users.usersPage({ ...usersListed, sort: "name", prefix: aName, after: [aName] }),
    "usersPage, idle": users.usersPage({ ...usersListed, sort: "bytes", seenBefore: now, after: [1, aName] }),
  },
  "platform/limits/queries": {
    recordedSince: limits.recordedSince({ actorId: "u", action: "key.update" }, { since: now, read: 1 }),
  },
  "platform/crypto/queries": {
    dataKeyById: crypto.dataKeyById(0),
    newestDataKey: crypto.newestDataKey(),
    addDataKey: crypto.addDataKey(0, Buffer.from("w"), now),
    userKeysOf: crypto.userKeysOf(["u"], [1]),
    newestUserKey: crypto.newestUserKey("u"),
    dataKeys: crypto.dataKeys(),
    rewrapDataKey: crypto.rewrapDataKey(0, Buffer.from("w")),
    resealedTo: crypto.resealedTo(passed, "u"),
    endPass: crypto.endPass(passed),
    endResealing: crypto.endResealing(0, now),
    removeFormer: crypto.removeFormer(0),
    signingKeys: crypto.signingKeys(),
    addSigningKey: crypto.addSigningKey(0, Buffer.from("s"), now),
    resealSigningKey: crypto.resealSigningKey(0, Buffer.from("s")),
    removeSigningKey: crypto.removeSigningKey(1),
    everyKeyOf: crypto.everyKeyOf(["u"]),
    userKeysAfter: crypto.userKeysAfter({ userId: "u", number: 1 }, 1),
    addUserKey: crypto.addUserKey({ userId: USER, number: 0 }, { dataKeyId: 1, wrapped: Buffer.from("w"), now }),
  },
  "platform/requests/queries": {
    storedResult: requests.storedResult("u", "h"),
    resultsOf: requests.resultsOf("u"),
  },
  "platform/network/queries": {
    listVersion: network.listVersion(),
    blocksInForce: network.blocksInForce(now),
  },
  "user-data/queries": {
    holdersOfOthers: userData.holdersOfOthers("u", 1),
    overviewOfUser: userData.overviewOfUser("u", now),
    removeHolders: userData.removeHolders(["k"], 1),
  },
};

-- What the thirty migrations of version 1.0.0 made, under the name of the last: its databases and backups count as
-- having this one. A database from before 1.0.0 is upgraded by 1.0.0.

CREATE TABLE "User" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "username" TEXT NOT NULL,
    "usernameKey" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "disabledAt" TIMESTAMP(3),
    "passwordHash" TEXT,
    "tokenHash" TEXT NOT NULL,
    "tokenSealed" TEXT NOT NULL,
    "tokenAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "deletingAt" TIMESTAMP(3),
    "mostEntries" INTEGER,
    "mostFileBytes" BIGINT,
    "mostKeyBytes" BIGINT,
    "mostKeys" INTEGER
);
CREATE UNIQUE INDEX "User_usernameKey_key" ON "User"("usernameKey");
CREATE UNIQUE INDEX "User_tokenHash_key" ON "User"("tokenHash");
CREATE INDEX "User_deletingAt_idx" ON "User"("deletingAt");
CREATE INDEX "User_role_idx" ON "User"("role");

CREATE TABLE "Identity" (
    "provider" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    PRIMARY KEY ("provider", "accountId"),
    CONSTRAINT "Identity_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "Identity_userId_idx" ON "Identity"("userId");

CREATE TABLE "Session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "userAgent" TEXT NOT NULL,
    "network" TEXT,
    "provenAt" TIMESTAMP(3),
    CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "Session_userId_idx" ON "Session"("userId");
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

CREATE TABLE "Key" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "creatorId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "dataBytes" INTEGER NOT NULL,
    "price" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "sealedWith" INTEGER,
    CONSTRAINT "Key_creatorId_fkey" FOREIGN KEY ("creatorId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "Key_creatorId_dataBytes_idx" ON "Key"("creatorId", "dataBytes");
CREATE INDEX "Key_createdAt_id_idx" ON "Key"("createdAt", "id");
CREATE INDEX "Key_creatorId_createdAt_id_idx" ON "Key"("creatorId", "createdAt", "id");
-- Names by how they begin, whatever their case, in an order that is the same in every locale. Prisma's models cannot
-- say this.
CREATE INDEX "Key_by_name" ON "Key"((lower("name") COLLATE "C"), "id");

CREATE TABLE "Holder" (
    "keyId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "keyCreatedAt" TIMESTAMP(3) NOT NULL,
    "hiddenAt" TIMESTAMP(3),
    "until" TIMESTAMP(3),
    PRIMARY KEY ("keyId", "userId"),
    CONSTRAINT "Holder_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "Key"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Holder_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "Holder_userId_keyCreatedAt_keyId_idx" ON "Holder"("userId", "keyCreatedAt", "keyId");

CREATE TABLE "AuditEvent" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "at" TIMESTAMP(3) NOT NULL,
    "action" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "actorId" TEXT,
    "detail" TEXT NOT NULL,
    "network" TEXT
);
CREATE INDEX "AuditEvent_subjectId_id_idx" ON "AuditEvent"("subjectId", "id");
CREATE INDEX "AuditEvent_actorId_id_idx" ON "AuditEvent"("actorId", "id");
CREATE INDEX "AuditEvent_action_id_idx" ON "AuditEvent"("action", "id");
CREATE INDEX "AuditEvent_network_id_idx" ON "AuditEvent"("network", "id");

CREATE TABLE "LinkCode" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "codeHash" TEXT,
    "status" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "network" TEXT NOT NULL,
    "program" TEXT NOT NULL,
    "contestedAt" TIMESTAMP(3),
    "userId" TEXT,
    "decidedAt" TIMESTAMP(3),
    "collectBy" TIMESTAMP(3),
    "tokenHash" TEXT,
    "collectedAt" TIMESTAMP(3),
    "collectedNetwork" TEXT,
    "allowedNetwork" TEXT,
    "allowedWebPage" TEXT,
    "boundAt" TIMESTAMP(3),
    "collectedProgram" TEXT,
    "collectedWebPage" TEXT,
    "repeats" INTEGER,
    "secretHash" TEXT,
    "webPage" TEXT,
    "access" TEXT,
    "name" TEXT,
    "sealed" TEXT,
    CONSTRAINT "LinkCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "LinkCode_codeHash_key" ON "LinkCode"("codeHash");
CREATE INDEX "LinkCode_userId_collectedAt_idx" ON "LinkCode"("userId", "collectedAt");
CREATE INDEX "LinkCode_createdAt_idx" ON "LinkCode"("createdAt");

-- Counters may be forgotten in a crash, so counting need not wait for the disk while it holds the row that a whole
-- network counts in.
CREATE UNLOGGED TABLE "RateLimit" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT
);

CREATE TABLE "FileDocument" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "version" INTEGER NOT NULL,
    "indexSpace" TEXT,
    CONSTRAINT "FileDocument_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "FileVersion" (
    "userId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "publishedAt" TIMESTAMP(3) NOT NULL,
    "entries" INTEGER NOT NULL,
    "plainLength" BIGINT NOT NULL,
    "gzipLength" BIGINT NOT NULL,
    "crc" BIGINT NOT NULL,
    "etag" TEXT NOT NULL,
    "retiredBytes" BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY ("userId", "version"),
    CONSTRAINT "FileVersion_userId_fkey" FOREIGN KEY ("userId") REFERENCES "FileDocument"("userId")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "FileVersion_publishedAt_idx" ON "FileVersion"("publishedAt");

CREATE TABLE "FileDraft" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "refreshedAt" TIMESTAMP(3),
    CONSTRAINT "FileDraft_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "FileDraft_userId_idx" ON "FileDraft"("userId");
CREATE INDEX "FileDraft_refreshedAt_idx" ON "FileDraft"("refreshedAt");

CREATE TABLE "FilePiece" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "bornVersion" INTEGER,
    "retiredVersion" INTEGER,
    "draftId" TEXT,
    "entries" INTEGER NOT NULL,
    "plainLength" INTEGER NOT NULL,
    "deflatedLength" INTEGER NOT NULL,
    "crc" BIGINT NOT NULL,
    CONSTRAINT "FilePiece_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "FilePiece_draftId_fkey" FOREIGN KEY ("draftId") REFERENCES "FileDraft"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "FilePiece_userId_position_idx" ON "FilePiece"("userId", "position");
CREATE INDEX "FilePiece_userId_retiredVersion_idx" ON "FilePiece"("userId", "retiredVersion");
CREATE INDEX "FilePiece_draftId_idx" ON "FilePiece"("draftId");

CREATE TABLE "FileContent" (
    "pieceId" TEXT NOT NULL PRIMARY KEY,
    "deflated" BYTEA NOT NULL,
    "sealedWith" INTEGER,
    CONSTRAINT "FileContent_pieceId_fkey" FOREIGN KEY ("pieceId") REFERENCES "FilePiece"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "Secret" (
    "fingerprint" TEXT NOT NULL PRIMARY KEY,
    "since" TIMESTAMP(3) NOT NULL
);

CREATE TABLE "FileUpload" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "folderId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "onExisting" TEXT NOT NULL,
    "isText" BOOLEAN NOT NULL,
    "totalBytes" BIGINT NOT NULL,
    "received" BIGINT NOT NULL,
    "carry" TEXT NOT NULL,
    "length" BIGINT NOT NULL,
    "modified" BIGINT,
    CONSTRAINT "FileUpload_id_fkey" FOREIGN KEY ("id") REFERENCES "FileDraft"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "FileUpload_userId_idx" ON "FileUpload"("userId");

CREATE TABLE "FileEntry" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "pieceId" TEXT NOT NULL,
    "start" INTEGER NOT NULL,
    "parentKey" TEXT NOT NULL,
    "pathKey" TEXT,
    "label" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "edited" BIGINT,
    "isBase64" BOOLEAN NOT NULL,
    "entryBucket" BIGINT NOT NULL,
    "entryId" TEXT NOT NULL,
    "editedOrder" BIGINT NOT NULL,
    "nameKey" BYTEA NOT NULL,
    "rank" INTEGER NOT NULL,
    "typeKey" BYTEA NOT NULL,
    CONSTRAINT "FileEntry_pieceId_fkey" FOREIGN KEY ("pieceId") REFERENCES "FilePiece"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "FileEntry_pathKey_idx" ON "FileEntry"("pathKey");
CREATE UNIQUE INDEX "FileEntry_pieceId_start_key" ON "FileEntry"("pieceId", "start");
CREATE INDEX "FileEntry_entryBucket_id_entryId_idx" ON "FileEntry"("entryBucket", "id", "entryId");
CREATE INDEX "FileEntry_by_name" ON "FileEntry"("parentKey", "rank", "nameKey", "id");
CREATE INDEX "FileEntry_by_type" ON "FileEntry"("parentKey", "rank", "typeKey", "nameKey", "id");
CREATE INDEX "FileEntry_by_size" ON "FileEntry"("parentKey", "rank", "size", "nameKey", "id");
CREATE INDEX "FileEntry_by_edited" ON "FileEntry"("parentKey", "rank", "editedOrder", "nameKey", "id");

CREATE TABLE "RetiredName" (
    "usernameKey" TEXT NOT NULL PRIMARY KEY,
    "retiredAt" TIMESTAMP(3) NOT NULL
);

CREATE TABLE "LinkQuestion" (
    "codeHash" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "webPage" TEXT NOT NULL,
    "program" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "refusedAt" TIMESTAMP(3),
    PRIMARY KEY ("codeHash", "network", "webPage")
);
CREATE INDEX "LinkQuestion_at_idx" ON "LinkQuestion"("at");

CREATE TABLE "LinkEntry" (
    "linkId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    PRIMARY KEY ("linkId", "userId"),
    CONSTRAINT "LinkEntry_linkId_fkey" FOREIGN KEY ("linkId") REFERENCES "LinkCode"("id")
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "LinkEntry_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "LinkEntry_userId_idx" ON "LinkEntry"("userId");

CREATE TABLE "BlockedGiver" (
    "userId" TEXT NOT NULL,
    "giverId" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    PRIMARY KEY ("userId", "giverId"),
    CONSTRAINT "BlockedGiver_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "BlockedGiver_giverId_fkey" FOREIGN KEY ("giverId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "BlockedGiver_giverId_idx" ON "BlockedGiver"("giverId");

CREATE TABLE "AccessToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "nameKey" TEXT NOT NULL,
    "access" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "startsAt" TIMESTAMP(3),
    "usedAt" TIMESTAMP(3),
    "sealedUntil" TIMESTAMP(3),
    "program" TEXT,
    "network" TEXT,
    "idleDays" INTEGER,
    CONSTRAINT "AccessToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "AccessToken_hash_key" ON "AccessToken"("hash");
CREATE INDEX "AccessToken_sealedUntil_idx" ON "AccessToken"("sealedUntil");
CREATE INDEX "AccessToken_expiresAt_idx" ON "AccessToken"("expiresAt");
CREATE INDEX "AccessToken_usedAt_startsAt_idx" ON "AccessToken"("usedAt", "startsAt");
CREATE UNIQUE INDEX "AccessToken_userId_nameKey_key" ON "AccessToken"("userId", "nameKey");

CREATE TABLE "AccessTokenNetwork" (
    "tokenId" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    PRIMARY KEY ("tokenId", "network"),
    CONSTRAINT "AccessTokenNetwork_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "AccessToken"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "RecoveryLink" (
    "userId" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "through" TEXT NOT NULL DEFAULT 'operator',
    PRIMARY KEY ("userId", "through"),
    CONSTRAINT "RecoveryLink_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "RecoveryLink_hash_key" ON "RecoveryLink"("hash");
CREATE INDEX "RecoveryLink_expiresAt_idx" ON "RecoveryLink"("expiresAt");

CREATE TABLE "Invitation" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "username" TEXT,
    "usernameKey" TEXT,
    "role" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL
);
CREATE UNIQUE INDEX "Invitation_hash_key" ON "Invitation"("hash");
CREATE UNIQUE INDEX "Invitation_usernameKey_key" ON "Invitation"("usernameKey");
CREATE INDEX "Invitation_expiresAt_idx" ON "Invitation"("expiresAt");

CREATE TABLE "Passkey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "credentialId" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "publicKey" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),
    CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "Passkey_credentialId_key" ON "Passkey"("credentialId");
CREATE INDEX "Passkey_userId_idx" ON "Passkey"("userId");

CREATE TABLE "UsedChallenge" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" TIMESTAMP(3) NOT NULL
);
CREATE INDEX "UsedChallenge_expiresAt_idx" ON "UsedChallenge"("expiresAt");

CREATE TABLE "RecoveryCode" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "RecoveryCode_userId_idx" ON "RecoveryCode"("userId");

CREATE TABLE "EmailAddress" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "address" TEXT,
    "verifiedAt" TIMESTAMP(3),
    "pending" TEXT,
    "hash" TEXT,
    "expiresAt" TIMESTAMP(3),
    "failedAt" TIMESTAMP(3),
    CONSTRAINT "EmailAddress_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "EmailAddress_hash_key" ON "EmailAddress"("hash");
CREATE INDEX "EmailAddress_expiresAt_idx" ON "EmailAddress"("expiresAt");

CREATE TABLE "Mail" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "userId" TEXT,
    "nameKey" TEXT,
    "address" TEXT,
    "facts" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "Mail_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "Mail_nextAt_idx" ON "Mail"("nextAt");
CREATE INDEX "Mail_userId_idx" ON "Mail"("userId");

CREATE TABLE "BlockedNetwork" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "network" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "until" TIMESTAMP(3),
    "actorId" TEXT NOT NULL
);
CREATE UNIQUE INDEX "BlockedNetwork_network_key" ON "BlockedNetwork"("network");
CREATE INDEX "BlockedNetwork_until_idx" ON "BlockedNetwork"("until");

CREATE TABLE "UserSummary" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "kind" INTEGER NOT NULL,
    "nameKey" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "seenAt" TIMESTAMP(3) NOT NULL,
    "keys" INTEGER NOT NULL,
    "keyBytes" BIGINT NOT NULL,
    "fileBytes" BIGINT NOT NULL,
    "entries" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,
    CONSTRAINT "UserSummary_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "UserSummary_by_name" ON "UserSummary"("kind", "nameKey", "seenAt");
CREATE INDEX "UserSummary_by_created" ON "UserSummary"("kind", "createdAt", "nameKey", "seenAt");
CREATE INDEX "UserSummary_by_seen" ON "UserSummary"("kind", "seenAt", "nameKey");
CREATE INDEX "UserSummary_by_keys" ON "UserSummary"("kind", "keys", "nameKey", "seenAt");
CREATE INDEX "UserSummary_by_bytes" ON "UserSummary"("kind", "bytes", "nameKey", "seenAt");

CREATE TABLE "UserSummarySweep" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "filledTo" TEXT,
    "eventId" BIGINT NOT NULL,
    "publishedAt" TIMESTAMP(3) NOT NULL,
    "sweptAt" TIMESTAMP(3)
);

CREATE TABLE "Statistic" (
    "span" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "signIns" INTEGER NOT NULL DEFAULT 0,
    "signUps" INTEGER NOT NULL DEFAULT 0,
    "asked" INTEGER NOT NULL DEFAULT 0,
    "linked" INTEGER NOT NULL DEFAULT 0,
    "denied" INTEGER NOT NULL DEFAULT 0,
    "expired" INTEGER NOT NULL DEFAULT 0,
    "users" INTEGER,
    "keys" INTEGER,
    "keyBytes" BIGINT,
    "fileBytes" BIGINT,
    PRIMARY KEY ("span", "at")
);

CREATE TABLE "Refusal" (
    "span" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "limit" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    PRIMARY KEY ("span", "at", "limit")
);

CREATE TABLE "StatisticsMark" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "eventId" BIGINT NOT NULL,
    "linksFrom" TIMESTAMP(3),
    "measuredAt" TIMESTAMP(3)
);

CREATE TABLE "Examination" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "refreshedAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    "findings" TEXT NOT NULL
);

CREATE TABLE "ClaimBatch" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "keyId" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "links" INTEGER NOT NULL,
    "most" INTEGER NOT NULL,
    "claimed" INTEGER NOT NULL,
    "days" INTEGER,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "ClaimBatch_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "Key"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "ClaimBatch_keyId_createdAt_id_idx" ON "ClaimBatch"("keyId", "createdAt", "id");
CREATE INDEX "ClaimBatch_expiresAt_idx" ON "ClaimBatch"("expiresAt");

CREATE TABLE "ClaimLink" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "batchId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "claimed" INTEGER NOT NULL,
    CONSTRAINT "ClaimLink_batchId_fkey" FOREIGN KEY ("batchId") REFERENCES "ClaimBatch"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "ClaimLink_batchId_number_key" ON "ClaimLink"("batchId", "number");

CREATE TABLE "Claim" (
    "hash" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    PRIMARY KEY ("hash", "userId"),
    CONSTRAINT "Claim_hash_fkey" FOREIGN KEY ("hash") REFERENCES "ClaimLink"("hash")
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Claim_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "Claim_userId_idx" ON "Claim"("userId");

CREATE TABLE "KeyOffer" (
    "keyId" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "KeyOffer_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "Key"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "KeyOffer_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "KeyOffer_userId_at_keyId_idx" ON "KeyOffer"("userId", "at", "keyId");

CREATE TABLE "KeysTold" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "at" TIMESTAMP(3) NOT NULL,
    CONSTRAINT "KeysTold_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "DataKey" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "wrapped" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "passes" INTEGER NOT NULL,
    "resealedTo" TEXT NOT NULL,
    "resealedAt" TIMESTAMP(3)
);

CREATE TABLE "UserKey" (
    "userId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "dataKeyId" INTEGER NOT NULL,
    "wrapped" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    PRIMARY KEY ("userId", "number"),
    CONSTRAINT "UserKey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "UserKey_dataKeyId_fkey" FOREIGN KEY ("dataKeyId") REFERENCES "DataKey"("id")
        ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "UserKey_dataKeyId_idx" ON "UserKey"("dataKeyId");

CREATE TABLE "LinkMask" (
    "linkId" TEXT NOT NULL PRIMARY KEY,
    "mask1" BIGINT NOT NULL,
    "mask2" BIGINT NOT NULL,
    "mask3" BIGINT NOT NULL,
    "mask4" BIGINT NOT NULL,
    "mask5" BIGINT NOT NULL,
    "mask6" BIGINT NOT NULL,
    CONSTRAINT "LinkMask_linkId_fkey" FOREIGN KEY ("linkId") REFERENCES "LinkCode"("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "LinkMask_mask1_key" ON "LinkMask"("mask1");
CREATE UNIQUE INDEX "LinkMask_mask2_key" ON "LinkMask"("mask2");
CREATE UNIQUE INDEX "LinkMask_mask3_key" ON "LinkMask"("mask3");
CREATE UNIQUE INDEX "LinkMask_mask4_key" ON "LinkMask"("mask4");
CREATE UNIQUE INDEX "LinkMask_mask5_key" ON "LinkMask"("mask5");
CREATE UNIQUE INDEX "LinkMask_mask6_key" ON "LinkMask"("mask6");

CREATE TABLE "UsedLetters" (
    "hash" BIGINT NOT NULL PRIMARY KEY,
    "day" INTEGER NOT NULL
);
CREATE INDEX "UsedLetters_day_idx" ON "UsedLetters"("day");

CREATE TABLE "Format" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "number" INTEGER NOT NULL
);
INSERT INTO "Format" ("id", "number") VALUES (1, 1);

CREATE TABLE "SigningKey" (
    "number" INTEGER NOT NULL PRIMARY KEY,
    "sealed" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL
);

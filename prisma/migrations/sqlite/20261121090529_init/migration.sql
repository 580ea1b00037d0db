-- CreateTable
CREATE TABLE "User" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "username" TEXT NOT NULL,
    "usernameKey" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "disabledAt" DATETIME,
    "passwordHash" TEXT,
    "tokenHash" TEXT NOT NULL,
    "tokenSealed" TEXT NOT NULL,
    "tokenAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Identity" (
    "provider" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("provider", "accountId"),
    CONSTRAINT "Identity_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "userAgent" TEXT NOT NULL,
    CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Key" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "creatorId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "dataBytes" INTEGER NOT NULL,
    "price" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "Key_creatorId_fkey" FOREIGN KEY ("creatorId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Holder" (
    "keyId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "since" DATETIME NOT NULL,
    "keyCreatedAt" DATETIME NOT NULL,

    PRIMARY KEY ("keyId", "userId"),
    CONSTRAINT "Holder_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "Key" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Holder_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuditEvent" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "action" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "actorId" TEXT,
    "detail" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "LinkCode" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "codeHash" TEXT,
    "status" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "network" TEXT NOT NULL,
    "program" TEXT NOT NULL,
    "contestedAt" DATETIME,
    "userId" TEXT,
    "decidedAt" DATETIME,
    "collectBy" DATETIME,
    "tokenHash" TEXT,
    "collectedAt" DATETIME,
    "collectedNetwork" TEXT,
    CONSTRAINT "LinkCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LinkMask" (
    "mask" TEXT NOT NULL PRIMARY KEY,
    "linkId" TEXT NOT NULL,
    CONSTRAINT "LinkMask_linkId_fkey" FOREIGN KEY ("linkId") REFERENCES "LinkCode" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RateLimit" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT
);

-- CreateTable
CREATE TABLE "FileDocument" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "version" INTEGER NOT NULL,
    CONSTRAINT "FileDocument_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "FileVersion" (
    "userId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "publishedAt" DATETIME NOT NULL,
    "entries" INTEGER NOT NULL,
    "plainLength" BIGINT NOT NULL,
    "gzipLength" BIGINT NOT NULL,
    "crc" BIGINT NOT NULL,
    "etag" TEXT NOT NULL,

    PRIMARY KEY ("userId", "version"),
    CONSTRAINT "FileVersion_userId_fkey" FOREIGN KEY ("userId") REFERENCES "FileDocument" ("userId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "FileDraft" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "refreshedAt" DATETIME,
    CONSTRAINT "FileDraft_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
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
    CONSTRAINT "FilePiece_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "FilePiece_draftId_fkey" FOREIGN KEY ("draftId") REFERENCES "FileDraft" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "FileContent" (
    "pieceId" TEXT NOT NULL PRIMARY KEY,
    "deflated" BLOB NOT NULL,
    CONSTRAINT "FileContent_pieceId_fkey" FOREIGN KEY ("pieceId") REFERENCES "FilePiece" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "User_usernameKey_key" ON "User"("usernameKey");

-- CreateIndex
CREATE UNIQUE INDEX "User_tokenHash_key" ON "User"("tokenHash");

-- CreateIndex
CREATE INDEX "Identity_userId_idx" ON "Identity"("userId");

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE INDEX "Key_creatorId_dataBytes_idx" ON "Key"("creatorId", "dataBytes");

-- CreateIndex
CREATE INDEX "Holder_userId_keyCreatedAt_keyId_idx" ON "Holder"("userId", "keyCreatedAt", "keyId");

-- CreateIndex
CREATE INDEX "AuditEvent_subjectId_id_idx" ON "AuditEvent"("subjectId", "id");

-- CreateIndex
CREATE INDEX "AuditEvent_actorId_id_idx" ON "AuditEvent"("actorId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "LinkCode_codeHash_key" ON "LinkCode"("codeHash");

-- CreateIndex
CREATE INDEX "LinkCode_userId_collectedAt_idx" ON "LinkCode"("userId", "collectedAt");

-- CreateIndex
CREATE INDEX "LinkCode_createdAt_idx" ON "LinkCode"("createdAt");

-- CreateIndex
CREATE INDEX "LinkMask_linkId_idx" ON "LinkMask"("linkId");

-- CreateIndex
CREATE INDEX "FileVersion_publishedAt_idx" ON "FileVersion"("publishedAt");

-- CreateIndex
CREATE INDEX "FileDraft_userId_idx" ON "FileDraft"("userId");

-- CreateIndex
CREATE INDEX "FileDraft_refreshedAt_idx" ON "FileDraft"("refreshedAt");

-- CreateIndex
CREATE INDEX "FilePiece_userId_position_idx" ON "FilePiece"("userId", "position");

-- CreateIndex
CREATE INDEX "FilePiece_userId_retiredVersion_idx" ON "FilePiece"("userId", "retiredVersion");

-- CreateIndex
CREATE INDEX "FilePiece_draftId_idx" ON "FilePiece"("draftId");

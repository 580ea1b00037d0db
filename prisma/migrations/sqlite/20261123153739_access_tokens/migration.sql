-- AlterTable
ALTER TABLE "LinkCode" ADD COLUMN "access" TEXT;
ALTER TABLE "LinkCode" ADD COLUMN "name" TEXT;
ALTER TABLE "LinkCode" ADD COLUMN "sealed" TEXT;

-- CreateTable
CREATE TABLE "AccessToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "nameKey" TEXT NOT NULL,
    "access" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "startsAt" DATETIME,
    "usedAt" DATETIME,
    "sealedUntil" DATETIME,
    "program" TEXT,
    "network" TEXT,
    CONSTRAINT "AccessToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AccessTokenNetwork" (
    "tokenId" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "since" DATETIME NOT NULL,

    PRIMARY KEY ("tokenId", "network"),
    CONSTRAINT "AccessTokenNetwork_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "AccessToken" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "AccessToken_hash_key" ON "AccessToken"("hash");

-- CreateIndex
CREATE INDEX "AccessToken_sealedUntil_idx" ON "AccessToken"("sealedUntil");

-- CreateIndex
CREATE INDEX "AccessToken_expiresAt_idx" ON "AccessToken"("expiresAt");

-- CreateIndex
CREATE INDEX "AccessToken_usedAt_startsAt_idx" ON "AccessToken"("usedAt", "startsAt");

-- CreateIndex
CREATE UNIQUE INDEX "AccessToken_userId_nameKey_key" ON "AccessToken"("userId", "nameKey");

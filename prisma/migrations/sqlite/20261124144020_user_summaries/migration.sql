-- AlterTable
ALTER TABLE "User" ADD COLUMN "mostEntries" INTEGER;
ALTER TABLE "User" ADD COLUMN "mostFileBytes" BIGINT;
ALTER TABLE "User" ADD COLUMN "mostKeyBytes" BIGINT;
ALTER TABLE "User" ADD COLUMN "mostKeys" INTEGER;

-- CreateTable
CREATE TABLE "UserSummary" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "kind" INTEGER NOT NULL,
    "nameKey" BLOB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "seenAt" DATETIME NOT NULL,
    "keys" INTEGER NOT NULL,
    "keyBytes" BIGINT NOT NULL,
    "fileBytes" BIGINT NOT NULL,
    "entries" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,
    CONSTRAINT "UserSummary_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "UserSummarySweep" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "filledTo" TEXT,
    "eventId" BIGINT NOT NULL,
    "publishedAt" DATETIME NOT NULL,
    "sweptAt" DATETIME
);

-- CreateIndex
CREATE INDEX "UserSummary_by_name" ON "UserSummary"("kind", "nameKey", "seenAt");

-- CreateIndex
CREATE INDEX "UserSummary_by_created" ON "UserSummary"("kind", "createdAt", "nameKey", "seenAt");

-- CreateIndex
CREATE INDEX "UserSummary_by_seen" ON "UserSummary"("kind", "seenAt", "nameKey");

-- CreateIndex
CREATE INDEX "UserSummary_by_keys" ON "UserSummary"("kind", "keys", "nameKey", "seenAt");

-- CreateIndex
CREATE INDEX "UserSummary_by_bytes" ON "UserSummary"("kind", "bytes", "nameKey", "seenAt");

-- CreateTable
CREATE TABLE "EmailAddress" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "address" TEXT,
    "verifiedAt" DATETIME,
    "pending" TEXT,
    "hash" TEXT,
    "expiresAt" DATETIME,
    "failedAt" DATETIME,
    CONSTRAINT "EmailAddress_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Mail" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "userId" TEXT,
    "nameKey" TEXT,
    "address" TEXT,
    "facts" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAt" DATETIME NOT NULL,
    CONSTRAINT "Mail_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_RecoveryLink" (
    "userId" TEXT NOT NULL,
    "through" TEXT NOT NULL DEFAULT 'operator',
    "hash" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,

    PRIMARY KEY ("userId", "through"),
    CONSTRAINT "RecoveryLink_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_RecoveryLink" ("createdAt", "expiresAt", "hash", "userId") SELECT "createdAt", "expiresAt", "hash", "userId" FROM "RecoveryLink";
DROP TABLE "RecoveryLink";
ALTER TABLE "new_RecoveryLink" RENAME TO "RecoveryLink";
CREATE UNIQUE INDEX "RecoveryLink_hash_key" ON "RecoveryLink"("hash");
CREATE INDEX "RecoveryLink_expiresAt_idx" ON "RecoveryLink"("expiresAt");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE UNIQUE INDEX "EmailAddress_hash_key" ON "EmailAddress"("hash");

-- CreateIndex
CREATE INDEX "EmailAddress_expiresAt_idx" ON "EmailAddress"("expiresAt");

-- CreateIndex
CREATE INDEX "Mail_nextAt_idx" ON "Mail"("nextAt");

-- CreateIndex
CREATE INDEX "Mail_userId_idx" ON "Mail"("userId");

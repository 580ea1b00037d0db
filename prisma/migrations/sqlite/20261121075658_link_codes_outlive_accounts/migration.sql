-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_LinkCode" (
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
INSERT INTO "new_LinkCode" ("codeHash", "collectBy", "collectedAt", "collectedNetwork", "contestedAt", "createdAt", "decidedAt", "expiresAt", "id", "network", "program", "status", "tokenHash", "userId") SELECT "codeHash", "collectBy", "collectedAt", "collectedNetwork", "contestedAt", "createdAt", "decidedAt", "expiresAt", "id", "network", "program", "status", "tokenHash", "userId" FROM "LinkCode";
DROP TABLE "LinkCode";
ALTER TABLE "new_LinkCode" RENAME TO "LinkCode";
CREATE UNIQUE INDEX "LinkCode_codeHash_key" ON "LinkCode"("codeHash");
CREATE INDEX "LinkCode_userId_collectedAt_idx" ON "LinkCode"("userId", "collectedAt");
CREATE INDEX "LinkCode_createdAt_idx" ON "LinkCode"("createdAt");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

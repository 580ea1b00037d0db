-- AlterTable
ALTER TABLE "FileContent" ADD COLUMN "sealedWith" INTEGER;

-- AlterTable
ALTER TABLE "Key" ADD COLUMN "sealedWith" INTEGER;

-- CreateTable
CREATE TABLE "DataKey" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "wrapped" BLOB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "passes" INTEGER NOT NULL,
    "resealedTo" TEXT NOT NULL,
    "resealedAt" DATETIME
);

-- CreateTable
CREATE TABLE "UserKey" (
    "userId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "dataKeyId" INTEGER NOT NULL,
    "wrapped" BLOB NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("userId", "number"),
    CONSTRAINT "UserKey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "UserKey_dataKeyId_fkey" FOREIGN KEY ("dataKeyId") REFERENCES "DataKey" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "UserKey_dataKeyId_idx" ON "UserKey"("dataKeyId");

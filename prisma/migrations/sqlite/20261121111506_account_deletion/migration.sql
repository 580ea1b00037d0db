-- AlterTable
ALTER TABLE "Session" ADD COLUMN "network" TEXT;

-- AlterTable
ALTER TABLE "User" ADD COLUMN "deletingAt" DATETIME;

-- CreateTable
CREATE TABLE "RetiredName" (
    "usernameKey" TEXT NOT NULL PRIMARY KEY,
    "retiredAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "User_deletingAt_idx" ON "User"("deletingAt");

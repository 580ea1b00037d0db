-- AlterTable
ALTER TABLE "LinkCode" ADD COLUMN "allowedNetwork" TEXT;
ALTER TABLE "LinkCode" ADD COLUMN "allowedWebPage" TEXT;
ALTER TABLE "LinkCode" ADD COLUMN "boundAt" DATETIME;
ALTER TABLE "LinkCode" ADD COLUMN "collectedProgram" TEXT;
ALTER TABLE "LinkCode" ADD COLUMN "collectedWebPage" TEXT;
ALTER TABLE "LinkCode" ADD COLUMN "repeats" INTEGER;
ALTER TABLE "LinkCode" ADD COLUMN "secretHash" TEXT;
ALTER TABLE "LinkCode" ADD COLUMN "webPage" TEXT;

-- CreateTable
CREATE TABLE "LinkQuestion" (
    "codeHash" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "webPage" TEXT NOT NULL,
    "program" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "refusedAt" DATETIME,

    PRIMARY KEY ("codeHash", "network", "webPage")
);

-- CreateTable
CREATE TABLE "LinkEntry" (
    "linkId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "at" DATETIME NOT NULL,

    PRIMARY KEY ("linkId", "userId"),
    CONSTRAINT "LinkEntry_linkId_fkey" FOREIGN KEY ("linkId") REFERENCES "LinkCode" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "LinkEntry_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "LinkQuestion_at_idx" ON "LinkQuestion"("at");

-- CreateIndex
CREATE INDEX "LinkEntry_userId_idx" ON "LinkEntry"("userId");

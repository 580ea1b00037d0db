-- AlterTable
ALTER TABLE "Holder" ADD COLUMN "hiddenAt" DATETIME;

-- CreateTable
CREATE TABLE "BlockedGiver" (
    "userId" TEXT NOT NULL,
    "giverId" TEXT NOT NULL,
    "since" DATETIME NOT NULL,

    PRIMARY KEY ("userId", "giverId"),
    CONSTRAINT "BlockedGiver_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "BlockedGiver_giverId_fkey" FOREIGN KEY ("giverId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "BlockedGiver_giverId_idx" ON "BlockedGiver"("giverId");

-- CreateTable
CREATE TABLE "ClaimBatch" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "keyId" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "links" INTEGER NOT NULL,
    "most" INTEGER NOT NULL,
    "claimed" INTEGER NOT NULL,
    "days" INTEGER,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "ClaimBatch_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "Key" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ClaimLink" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "batchId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "claimed" INTEGER NOT NULL,
    CONSTRAINT "ClaimLink_batchId_fkey" FOREIGN KEY ("batchId") REFERENCES "ClaimBatch" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Claim" (
    "hash" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "at" DATETIME NOT NULL,

    PRIMARY KEY ("hash", "userId"),
    CONSTRAINT "Claim_hash_fkey" FOREIGN KEY ("hash") REFERENCES "ClaimLink" ("hash") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Claim_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ClaimBatch_keyId_createdAt_id_idx" ON "ClaimBatch"("keyId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ClaimBatch_expiresAt_idx" ON "ClaimBatch"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "ClaimLink_batchId_number_key" ON "ClaimLink"("batchId", "number");

-- CreateIndex
CREATE INDEX "Claim_userId_idx" ON "Claim"("userId");

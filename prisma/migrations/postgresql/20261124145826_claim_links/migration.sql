-- CreateTable
CREATE TABLE "ClaimBatch" (
    "id" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "links" INTEGER NOT NULL,
    "most" INTEGER NOT NULL,
    "claimed" INTEGER NOT NULL,
    "days" INTEGER,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ClaimBatch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ClaimLink" (
    "hash" TEXT NOT NULL,
    "batchId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "claimed" INTEGER NOT NULL,

    CONSTRAINT "ClaimLink_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "Claim" (
    "hash" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Claim_pkey" PRIMARY KEY ("hash","userId")
);

-- CreateIndex
CREATE INDEX "ClaimBatch_keyId_createdAt_id_idx" ON "ClaimBatch"("keyId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ClaimBatch_expiresAt_idx" ON "ClaimBatch"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "ClaimLink_batchId_number_key" ON "ClaimLink"("batchId", "number");

-- CreateIndex
CREATE INDEX "Claim_userId_idx" ON "Claim"("userId");

-- AddForeignKey
ALTER TABLE "ClaimBatch" ADD CONSTRAINT "ClaimBatch_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "Key"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClaimLink" ADD CONSTRAINT "ClaimLink_batchId_fkey" FOREIGN KEY ("batchId") REFERENCES "ClaimBatch"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Claim" ADD CONSTRAINT "Claim_hash_fkey" FOREIGN KEY ("hash") REFERENCES "ClaimLink"("hash") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Claim" ADD CONSTRAINT "Claim_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "RecoveryLink" DROP CONSTRAINT "RecoveryLink_pkey",
ADD COLUMN     "through" TEXT NOT NULL DEFAULT 'operator',
ADD CONSTRAINT "RecoveryLink_pkey" PRIMARY KEY ("userId", "through");

-- CreateTable
CREATE TABLE "EmailAddress" (
    "userId" TEXT NOT NULL,
    "address" TEXT,
    "verifiedAt" TIMESTAMP(3),
    "pending" TEXT,
    "hash" TEXT,
    "expiresAt" TIMESTAMP(3),
    "failedAt" TIMESTAMP(3),

    CONSTRAINT "EmailAddress_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "Mail" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "userId" TEXT,
    "nameKey" TEXT,
    "address" TEXT,
    "facts" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Mail_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "EmailAddress_hash_key" ON "EmailAddress"("hash");

-- CreateIndex
CREATE INDEX "EmailAddress_expiresAt_idx" ON "EmailAddress"("expiresAt");

-- CreateIndex
CREATE INDEX "Mail_nextAt_idx" ON "Mail"("nextAt");

-- CreateIndex
CREATE INDEX "Mail_userId_idx" ON "Mail"("userId");

-- AddForeignKey
ALTER TABLE "EmailAddress" ADD CONSTRAINT "EmailAddress_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Mail" ADD CONSTRAINT "Mail_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

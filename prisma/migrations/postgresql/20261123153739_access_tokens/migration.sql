-- AlterTable
ALTER TABLE "LinkCode" ADD COLUMN     "access" TEXT,
ADD COLUMN     "name" TEXT,
ADD COLUMN     "sealed" TEXT;

-- CreateTable
CREATE TABLE "AccessToken" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "nameKey" TEXT NOT NULL,
    "access" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "startsAt" TIMESTAMP(3),
    "usedAt" TIMESTAMP(3),
    "sealedUntil" TIMESTAMP(3),
    "program" TEXT,
    "network" TEXT,

    CONSTRAINT "AccessToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AccessTokenNetwork" (
    "tokenId" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AccessTokenNetwork_pkey" PRIMARY KEY ("tokenId","network")
);

-- CreateIndex
CREATE UNIQUE INDEX "AccessToken_hash_key" ON "AccessToken"("hash");

-- CreateIndex
CREATE INDEX "AccessToken_sealedUntil_idx" ON "AccessToken"("sealedUntil");

-- CreateIndex
CREATE INDEX "AccessToken_expiresAt_idx" ON "AccessToken"("expiresAt");

-- CreateIndex
CREATE INDEX "AccessToken_usedAt_startsAt_idx" ON "AccessToken"("usedAt", "startsAt");

-- CreateIndex
CREATE UNIQUE INDEX "AccessToken_userId_nameKey_key" ON "AccessToken"("userId", "nameKey");

-- AddForeignKey
ALTER TABLE "AccessToken" ADD CONSTRAINT "AccessToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AccessTokenNetwork" ADD CONSTRAINT "AccessTokenNetwork_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "AccessToken"("id") ON DELETE CASCADE ON UPDATE CASCADE;

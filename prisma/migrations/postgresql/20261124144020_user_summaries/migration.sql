-- AlterTable
ALTER TABLE "User" ADD COLUMN     "mostEntries" INTEGER,
ADD COLUMN     "mostFileBytes" BIGINT,
ADD COLUMN     "mostKeyBytes" BIGINT,
ADD COLUMN     "mostKeys" INTEGER;

-- CreateTable
CREATE TABLE "UserSummary" (
    "userId" TEXT NOT NULL,
    "kind" INTEGER NOT NULL,
    "nameKey" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "seenAt" TIMESTAMP(3) NOT NULL,
    "keys" INTEGER NOT NULL,
    "keyBytes" BIGINT NOT NULL,
    "fileBytes" BIGINT NOT NULL,
    "entries" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "UserSummary_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "UserSummarySweep" (
    "id" TEXT NOT NULL,
    "filledTo" TEXT,
    "eventId" BIGINT NOT NULL,
    "publishedAt" TIMESTAMP(3) NOT NULL,
    "sweptAt" TIMESTAMP(3),

    CONSTRAINT "UserSummarySweep_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "UserSummary_by_name" ON "UserSummary"("kind", "nameKey", "seenAt");

-- CreateIndex
CREATE INDEX "UserSummary_by_created" ON "UserSummary"("kind", "createdAt", "nameKey", "seenAt");

-- CreateIndex
CREATE INDEX "UserSummary_by_seen" ON "UserSummary"("kind", "seenAt", "nameKey");

-- CreateIndex
CREATE INDEX "UserSummary_by_keys" ON "UserSummary"("kind", "keys", "nameKey", "seenAt");

-- CreateIndex
CREATE INDEX "UserSummary_by_bytes" ON "UserSummary"("kind", "bytes", "nameKey", "seenAt");

-- AddForeignKey
ALTER TABLE "UserSummary" ADD CONSTRAINT "UserSummary_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

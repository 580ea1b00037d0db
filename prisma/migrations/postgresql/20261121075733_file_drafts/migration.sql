-- DropForeignKey
ALTER TABLE "FilePiece" DROP CONSTRAINT "FilePiece_userId_fkey";

-- DropIndex
DROP INDEX "FilePiece_userId_bornVersion_idx";

-- DropIndex
DROP INDEX "FileVersion_publishedAt_createdAt_idx";

-- AlterTable
ALTER TABLE "FileDocument" DROP COLUMN "lastVersion";

-- AlterTable
ALTER TABLE "FilePiece" DROP CONSTRAINT "FilePiece_pkey",
DROP COLUMN "deflated",
ADD COLUMN     "deflatedLength" INTEGER NOT NULL,
ADD COLUMN     "draftId" TEXT,
ADD COLUMN     "entries" INTEGER NOT NULL,
ADD COLUMN     "id" TEXT NOT NULL,
ALTER COLUMN "position" SET DATA TYPE BIGINT,
ALTER COLUMN "bornVersion" DROP NOT NULL,
ADD CONSTRAINT "FilePiece_pkey" PRIMARY KEY ("id");

-- AlterTable
ALTER TABLE "FileVersion" DROP COLUMN "createdAt",
DROP COLUMN "retiredAt",
ALTER COLUMN "publishedAt" SET NOT NULL;

-- CreateTable
CREATE TABLE "FileDraft" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "refreshedAt" TIMESTAMP(3),

    CONSTRAINT "FileDraft_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "FileContent" (
    "pieceId" TEXT NOT NULL,
    "deflated" BYTEA NOT NULL,

    CONSTRAINT "FileContent_pkey" PRIMARY KEY ("pieceId")
);

-- CreateIndex
CREATE INDEX "FileDraft_userId_idx" ON "FileDraft"("userId");

-- CreateIndex
CREATE INDEX "FileDraft_refreshedAt_idx" ON "FileDraft"("refreshedAt");

-- CreateIndex
CREATE INDEX "FilePiece_userId_position_idx" ON "FilePiece"("userId", "position");

-- CreateIndex
CREATE INDEX "FilePiece_userId_retiredVersion_idx" ON "FilePiece"("userId", "retiredVersion");

-- CreateIndex
CREATE INDEX "FilePiece_draftId_idx" ON "FilePiece"("draftId");

-- CreateIndex
CREATE INDEX "FileVersion_publishedAt_idx" ON "FileVersion"("publishedAt");

-- AddForeignKey
ALTER TABLE "FileDraft" ADD CONSTRAINT "FileDraft_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "FilePiece" ADD CONSTRAINT "FilePiece_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "FilePiece" ADD CONSTRAINT "FilePiece_draftId_fkey" FOREIGN KEY ("draftId") REFERENCES "FileDraft"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "FileContent" ADD CONSTRAINT "FileContent_pieceId_fkey" FOREIGN KEY ("pieceId") REFERENCES "FilePiece"("id") ON DELETE CASCADE ON UPDATE CASCADE;

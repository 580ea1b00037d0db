-- The index is derived: what is there is made again at the next use.
DELETE FROM "FileEntry";
UPDATE "FileDocument" SET "indexSpace" = NULL;

-- DropIndex
DROP INDEX "FileEntry_entryKey_idx";

-- DropIndex
DROP INDEX "FileEntry_parentKey_id_idx";

-- AlterTable
ALTER TABLE "FileEntry" DROP COLUMN "entryKey",
ADD COLUMN     "entryBucket" BIGINT NOT NULL,
ADD COLUMN     "entryId" TEXT NOT NULL,
ADD COLUMN     "nameBucket" INTEGER NOT NULL,
ALTER COLUMN "pathKey" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "FileEntry_entryBucket_idx" ON "FileEntry"("entryBucket");

-- CreateIndex
CREATE INDEX "FileEntry_parentKey_nameBucket_id_idx" ON "FileEntry"("parentKey", "nameBucket", "id");

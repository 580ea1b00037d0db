-- The index is derived: what is there is made again at the next use, with the keys that it is now sorted by.
DELETE FROM "FileEntry";
UPDATE "FileDocument" SET "indexSpace" = NULL;

-- DropIndex
DROP INDEX "FileEntry_entryBucket_idx";

-- DropIndex
DROP INDEX "FileEntry_parentKey_nameBucket_id_idx";

-- AlterTable
ALTER TABLE "FileEntry" DROP COLUMN "nameBucket",
ADD COLUMN     "editedOrder" BIGINT NOT NULL,
ADD COLUMN     "nameKey" BYTEA NOT NULL,
ADD COLUMN     "rank" INTEGER NOT NULL,
ADD COLUMN     "typeKey" BYTEA NOT NULL;

-- AlterTable
ALTER TABLE "FileVersion" ADD COLUMN     "retiredBytes" BIGINT NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "FileEntry_entryBucket_id_entryId_idx" ON "FileEntry"("entryBucket", "id", "entryId");

-- CreateIndex
CREATE INDEX "FileEntry_by_name" ON "FileEntry"("parentKey", "rank", "nameKey", "id");

-- CreateIndex
CREATE INDEX "FileEntry_by_type" ON "FileEntry"("parentKey", "rank", "typeKey", "nameKey", "id");

-- CreateIndex
CREATE INDEX "FileEntry_by_size" ON "FileEntry"("parentKey", "rank", "size", "nameKey", "id");

-- CreateIndex
CREATE INDEX "FileEntry_by_edited" ON "FileEntry"("parentKey", "rank", "editedOrder", "nameKey", "id");

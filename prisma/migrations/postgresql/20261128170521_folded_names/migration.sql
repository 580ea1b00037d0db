-- AlterTable
ALTER TABLE "Key" ADD COLUMN     "nameKey" TEXT;

-- As names are searched: folded, or by the database until the sweep has come to them.
DROP INDEX "Key_by_name";
-- CreateIndex
CREATE INDEX "Key_by_name" ON "Key"((COALESCE("nameKey", lower("name" COLLATE "C")) COLLATE "C"), "id");

-- What the sweep has to fold.
-- CreateIndex
CREATE INDEX "Key_to_fold" ON "Key"((CASE WHEN "nameKey" IS NULL AND octet_length("name") <> length("name") THEN "id" END));

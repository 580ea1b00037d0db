-- AlterTable
ALTER TABLE "Key" ADD COLUMN "nameKey" TEXT;

-- As names are searched: folded, or by the database until the sweep has come to them.
DROP INDEX "Key_by_name";
-- CreateIndex
CREATE INDEX "Key_by_name" ON "Key"(COALESCE("nameKey", lower("name")), "id");

-- What the sweep has to fold. Prisma cannot read a partial index of SQLite.
-- CreateIndex
CREATE INDEX "Key_to_fold" ON "Key"(CASE WHEN "nameKey" IS NULL AND length(CAST("name" AS BLOB)) <> length("name") THEN "id" END);

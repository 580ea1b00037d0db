-- The last one: it makes readers wait, and nothing else may be locked after it, or they would wait for each other.
-- AlterTable
ALTER TABLE "Holder" ADD COLUMN     "until" TIMESTAMP(3);

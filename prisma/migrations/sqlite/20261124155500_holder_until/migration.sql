-- AlterTable
ALTER TABLE "Holder" ADD COLUMN "until" DATETIME;

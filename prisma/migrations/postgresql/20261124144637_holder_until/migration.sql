-- AlterTable
ALTER TABLE "Holder" ADD COLUMN     "until" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "FileUpload" ADD COLUMN "modified" BIGINT;

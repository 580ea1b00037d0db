-- AlterTable
ALTER TABLE "AccessToken" ADD COLUMN "idleDays" INTEGER;

-- AlterTable
ALTER TABLE "User" ADD COLUMN "keysToldAt" DATETIME;

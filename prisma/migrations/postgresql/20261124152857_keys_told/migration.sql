-- AlterTable
ALTER TABLE "User" ADD COLUMN     "keysToldAt" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "network" TEXT;

-- AlterTable
ALTER TABLE "User" ADD COLUMN     "deletingAt" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "RetiredName" (
    "usernameKey" TEXT NOT NULL,
    "retiredAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RetiredName_pkey" PRIMARY KEY ("usernameKey")
);

-- CreateIndex
CREATE INDEX "User_deletingAt_idx" ON "User"("deletingAt");

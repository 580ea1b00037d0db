-- DropForeignKey
ALTER TABLE "LinkCode" DROP CONSTRAINT "LinkCode_userId_fkey";

-- DropIndex
DROP INDEX "LinkCode_network_createdAt_idx";

-- AddForeignKey
ALTER TABLE "LinkCode" ADD CONSTRAINT "LinkCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

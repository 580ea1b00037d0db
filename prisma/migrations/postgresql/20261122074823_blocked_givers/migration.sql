-- AlterTable
ALTER TABLE "Holder" ADD COLUMN     "hiddenAt" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "BlockedGiver" (
    "userId" TEXT NOT NULL,
    "giverId" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "BlockedGiver_pkey" PRIMARY KEY ("userId","giverId")
);

-- CreateIndex
CREATE INDEX "BlockedGiver_giverId_idx" ON "BlockedGiver"("giverId");

-- AddForeignKey
ALTER TABLE "BlockedGiver" ADD CONSTRAINT "BlockedGiver_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BlockedGiver" ADD CONSTRAINT "BlockedGiver_giverId_fkey" FOREIGN KEY ("giverId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

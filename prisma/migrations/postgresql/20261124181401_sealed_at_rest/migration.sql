-- AlterTable
ALTER TABLE "FileContent" ADD COLUMN     "sealedWith" INTEGER;

-- AlterTable
ALTER TABLE "Key" ADD COLUMN     "sealedWith" INTEGER;

-- CreateTable
CREATE TABLE "DataKey" (
    "id" INTEGER NOT NULL,
    "wrapped" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "passes" INTEGER NOT NULL,
    "resealedTo" TEXT NOT NULL,
    "resealedAt" TIMESTAMP(3),

    CONSTRAINT "DataKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UserKey" (
    "userId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "dataKeyId" INTEGER NOT NULL,
    "wrapped" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "UserKey_pkey" PRIMARY KEY ("userId","number")
);

-- CreateIndex
CREATE INDEX "UserKey_dataKeyId_idx" ON "UserKey"("dataKeyId");

-- AddForeignKey
ALTER TABLE "UserKey" ADD CONSTRAINT "UserKey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserKey" ADD CONSTRAINT "UserKey_dataKeyId_fkey" FOREIGN KEY ("dataKeyId") REFERENCES "DataKey"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

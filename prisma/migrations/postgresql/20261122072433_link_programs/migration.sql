-- AlterTable
ALTER TABLE "LinkCode" ADD COLUMN     "allowedNetwork" TEXT,
ADD COLUMN     "allowedWebPage" TEXT,
ADD COLUMN     "boundAt" TIMESTAMP(3),
ADD COLUMN     "collectedProgram" TEXT,
ADD COLUMN     "collectedWebPage" TEXT,
ADD COLUMN     "repeats" INTEGER,
ADD COLUMN     "secretHash" TEXT,
ADD COLUMN     "webPage" TEXT;

-- CreateTable
CREATE TABLE "LinkQuestion" (
    "codeHash" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "webPage" TEXT NOT NULL,
    "program" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "refusedAt" TIMESTAMP(3),

    CONSTRAINT "LinkQuestion_pkey" PRIMARY KEY ("codeHash","network","webPage")
);

-- CreateTable
CREATE TABLE "LinkEntry" (
    "linkId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "LinkEntry_pkey" PRIMARY KEY ("linkId","userId")
);

-- CreateIndex
CREATE INDEX "LinkQuestion_at_idx" ON "LinkQuestion"("at");

-- CreateIndex
CREATE INDEX "LinkEntry_userId_idx" ON "LinkEntry"("userId");

-- AddForeignKey
ALTER TABLE "LinkEntry" ADD CONSTRAINT "LinkEntry_linkId_fkey" FOREIGN KEY ("linkId") REFERENCES "LinkCode"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LinkEntry" ADD CONSTRAINT "LinkEntry_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

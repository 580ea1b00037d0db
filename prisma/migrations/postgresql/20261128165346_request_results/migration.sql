-- CreateTable
CREATE TABLE "RequestResult" (
    "userId" TEXT NOT NULL,
    "idHash" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RequestResult_pkey" PRIMARY KEY ("userId","idHash")
);

-- CreateIndex
CREATE INDEX "RequestResult_at_idx" ON "RequestResult"("at");

-- AddForeignKey
ALTER TABLE "RequestResult" ADD CONSTRAINT "RequestResult_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

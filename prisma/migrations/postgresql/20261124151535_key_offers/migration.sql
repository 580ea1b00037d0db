-- CreateTable
CREATE TABLE "KeyOffer" (
    "keyId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "KeyOffer_pkey" PRIMARY KEY ("keyId")
);

-- CreateIndex
CREATE INDEX "KeyOffer_userId_at_keyId_idx" ON "KeyOffer"("userId", "at", "keyId");

-- AddForeignKey
ALTER TABLE "KeyOffer" ADD CONSTRAINT "KeyOffer_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "Key"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "KeyOffer" ADD CONSTRAINT "KeyOffer_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

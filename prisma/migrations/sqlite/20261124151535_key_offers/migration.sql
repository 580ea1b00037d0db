-- CreateTable
CREATE TABLE "KeyOffer" (
    "keyId" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    CONSTRAINT "KeyOffer_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "Key" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "KeyOffer_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "KeyOffer_userId_at_keyId_idx" ON "KeyOffer"("userId", "at", "keyId");

-- CreateTable
CREATE TABLE "RequestResult" (
    "userId" TEXT NOT NULL,
    "idHash" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "at" DATETIME NOT NULL,

    PRIMARY KEY ("userId", "idHash"),
    CONSTRAINT "RequestResult_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "RequestResult_at_idx" ON "RequestResult"("at");

-- CreateTable
CREATE TABLE "Secret" (
    "fingerprint" TEXT NOT NULL PRIMARY KEY,
    "since" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "SigningKey" (
    "number" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "sealed" BLOB NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "KeysTold" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "at" DATETIME NOT NULL,
    CONSTRAINT "KeysTold_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

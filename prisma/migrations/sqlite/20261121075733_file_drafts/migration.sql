-- CreateTable
CREATE TABLE "FileDraft" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "refreshedAt" DATETIME,
    CONSTRAINT "FileDraft_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "FileContent" (
    "pieceId" TEXT NOT NULL PRIMARY KEY,
    "deflated" BLOB NOT NULL,
    CONSTRAINT "FileContent_pieceId_fkey" FOREIGN KEY ("pieceId") REFERENCES "FilePiece" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_FileDocument" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "version" INTEGER NOT NULL,
    CONSTRAINT "FileDocument_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_FileDocument" ("userId", "version") SELECT "userId", "version" FROM "FileDocument";
DROP TABLE "FileDocument";
ALTER TABLE "new_FileDocument" RENAME TO "FileDocument";
CREATE TABLE "new_FilePiece" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "bornVersion" INTEGER,
    "retiredVersion" INTEGER,
    "draftId" TEXT,
    "entries" INTEGER NOT NULL,
    "plainLength" INTEGER NOT NULL,
    "deflatedLength" INTEGER NOT NULL,
    "crc" BIGINT NOT NULL,
    CONSTRAINT "FilePiece_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "FilePiece_draftId_fkey" FOREIGN KEY ("draftId") REFERENCES "FileDraft" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_FilePiece" ("bornVersion", "crc", "plainLength", "position", "retiredVersion", "userId") SELECT "bornVersion", "crc", "plainLength", "position", "retiredVersion", "userId" FROM "FilePiece";
DROP TABLE "FilePiece";
ALTER TABLE "new_FilePiece" RENAME TO "FilePiece";
CREATE INDEX "FilePiece_userId_position_idx" ON "FilePiece"("userId", "position");
CREATE INDEX "FilePiece_userId_retiredVersion_idx" ON "FilePiece"("userId", "retiredVersion");
CREATE INDEX "FilePiece_draftId_idx" ON "FilePiece"("draftId");
CREATE TABLE "new_FileVersion" (
    "userId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "publishedAt" DATETIME NOT NULL,
    "entries" INTEGER NOT NULL,
    "plainLength" BIGINT NOT NULL,
    "gzipLength" BIGINT NOT NULL,
    "crc" BIGINT NOT NULL,
    "etag" TEXT NOT NULL,

    PRIMARY KEY ("userId", "version"),
    CONSTRAINT "FileVersion_userId_fkey" FOREIGN KEY ("userId") REFERENCES "FileDocument" ("userId") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_FileVersion" ("crc", "entries", "etag", "gzipLength", "plainLength", "publishedAt", "userId", "version") SELECT "crc", "entries", "etag", "gzipLength", "plainLength", "publishedAt", "userId", "version" FROM "FileVersion";
DROP TABLE "FileVersion";
ALTER TABLE "new_FileVersion" RENAME TO "FileVersion";
CREATE INDEX "FileVersion_publishedAt_idx" ON "FileVersion"("publishedAt");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "FileDraft_userId_idx" ON "FileDraft"("userId");

-- CreateIndex
CREATE INDEX "FileDraft_refreshedAt_idx" ON "FileDraft"("refreshedAt");

-- The index is derived: what is there is made again at the next use, with the keys that it is now sorted by.
DELETE FROM "FileEntry";
UPDATE "FileDocument" SET "indexSpace" = NULL;

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_FileEntry" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "pieceId" TEXT NOT NULL,
    "start" INTEGER NOT NULL,
    "entryId" TEXT NOT NULL,
    "entryBucket" BIGINT NOT NULL,
    "parentKey" TEXT NOT NULL,
    "rank" INTEGER NOT NULL,
    "nameKey" BLOB NOT NULL,
    "typeKey" BLOB NOT NULL,
    "editedOrder" BIGINT NOT NULL,
    "pathKey" TEXT,
    "label" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "edited" BIGINT,
    "isBase64" BOOLEAN NOT NULL,
    CONSTRAINT "FileEntry_pieceId_fkey" FOREIGN KEY ("pieceId") REFERENCES "FilePiece" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
DROP TABLE "FileEntry";
ALTER TABLE "new_FileEntry" RENAME TO "FileEntry";
CREATE INDEX "FileEntry_entryBucket_id_entryId_idx" ON "FileEntry"("entryBucket", "id", "entryId");
CREATE INDEX "FileEntry_by_name" ON "FileEntry"("parentKey", "rank", "nameKey", "id");
CREATE INDEX "FileEntry_by_type" ON "FileEntry"("parentKey", "rank", "typeKey", "nameKey", "id");
CREATE INDEX "FileEntry_by_size" ON "FileEntry"("parentKey", "rank", "size", "nameKey", "id");
CREATE INDEX "FileEntry_by_edited" ON "FileEntry"("parentKey", "rank", "editedOrder", "nameKey", "id");
CREATE INDEX "FileEntry_pathKey_idx" ON "FileEntry"("pathKey");
CREATE UNIQUE INDEX "FileEntry_pieceId_start_key" ON "FileEntry"("pieceId", "start");
CREATE TABLE "new_FileVersion" (
    "userId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "publishedAt" DATETIME NOT NULL,
    "entries" INTEGER NOT NULL,
    "plainLength" BIGINT NOT NULL,
    "gzipLength" BIGINT NOT NULL,
    "crc" BIGINT NOT NULL,
    "etag" TEXT NOT NULL,
    "retiredBytes" BIGINT NOT NULL DEFAULT 0,

    PRIMARY KEY ("userId", "version"),
    CONSTRAINT "FileVersion_userId_fkey" FOREIGN KEY ("userId") REFERENCES "FileDocument" ("userId") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_FileVersion" ("crc", "entries", "etag", "gzipLength", "plainLength", "publishedAt", "userId", "version") SELECT "crc", "entries", "etag", "gzipLength", "plainLength", "publishedAt", "userId", "version" FROM "FileVersion";
DROP TABLE "FileVersion";
ALTER TABLE "new_FileVersion" RENAME TO "FileVersion";
CREATE INDEX "FileVersion_publishedAt_idx" ON "FileVersion"("publishedAt");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

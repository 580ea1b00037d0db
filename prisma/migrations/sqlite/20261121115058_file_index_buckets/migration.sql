-- The index is derived: what is there is made again at the next use.
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
    "nameBucket" INTEGER NOT NULL,
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
CREATE INDEX "FileEntry_entryBucket_idx" ON "FileEntry"("entryBucket");
CREATE INDEX "FileEntry_parentKey_nameBucket_id_idx" ON "FileEntry"("parentKey", "nameBucket", "id");
CREATE INDEX "FileEntry_pathKey_idx" ON "FileEntry"("pathKey");
CREATE UNIQUE INDEX "FileEntry_pieceId_start_key" ON "FileEntry"("pieceId", "start");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

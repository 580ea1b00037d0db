-- AlterTable
ALTER TABLE "FileDocument" ADD COLUMN "indexSpace" TEXT;

-- CreateTable
CREATE TABLE "FileUpload" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "folderId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "onExisting" TEXT NOT NULL,
    "isText" BOOLEAN NOT NULL,
    "totalBytes" BIGINT NOT NULL,
    "received" BIGINT NOT NULL,
    "carry" TEXT NOT NULL,
    "length" BIGINT NOT NULL,
    CONSTRAINT "FileUpload_id_fkey" FOREIGN KEY ("id") REFERENCES "FileDraft" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "FileEntry" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "pieceId" TEXT NOT NULL,
    "start" INTEGER NOT NULL,
    "entryKey" TEXT NOT NULL,
    "parentKey" TEXT NOT NULL,
    "pathKey" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "edited" BIGINT,
    "isBase64" BOOLEAN NOT NULL,
    CONSTRAINT "FileEntry_pieceId_fkey" FOREIGN KEY ("pieceId") REFERENCES "FilePiece" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "FileUpload_userId_idx" ON "FileUpload"("userId");

-- CreateIndex
CREATE INDEX "FileEntry_entryKey_idx" ON "FileEntry"("entryKey");

-- CreateIndex
CREATE INDEX "FileEntry_parentKey_id_idx" ON "FileEntry"("parentKey", "id");

-- CreateIndex
CREATE INDEX "FileEntry_pathKey_idx" ON "FileEntry"("pathKey");

-- CreateIndex
CREATE UNIQUE INDEX "FileEntry_pieceId_start_key" ON "FileEntry"("pieceId", "start");

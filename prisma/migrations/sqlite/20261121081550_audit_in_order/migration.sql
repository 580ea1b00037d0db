-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_AuditEvent" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "action" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "actorId" TEXT,
    "detail" TEXT NOT NULL
);
INSERT INTO "new_AuditEvent" ("action", "actorId", "at", "detail", "subjectId") SELECT "action", "actorId", "at", "detail", "subjectId" FROM "AuditEvent" ORDER BY rowid;
DROP TABLE "AuditEvent";
ALTER TABLE "new_AuditEvent" RENAME TO "AuditEvent";
CREATE INDEX "AuditEvent_subjectId_id_idx" ON "AuditEvent"("subjectId", "id");
CREATE INDEX "AuditEvent_actorId_id_idx" ON "AuditEvent"("actorId", "id");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- DropIndex
DROP INDEX "AuditEvent_actorId_at_idx";

-- DropIndex
DROP INDEX "AuditEvent_subjectId_at_idx";

-- AlterTable
ALTER TABLE "AuditEvent" DROP CONSTRAINT "AuditEvent_pkey",
DROP COLUMN "id",
ADD COLUMN     "id" BIGSERIAL NOT NULL,
ADD CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("id");

-- CreateIndex
CREATE INDEX "AuditEvent_subjectId_id_idx" ON "AuditEvent"("subjectId", "id");

-- CreateIndex
CREATE INDEX "AuditEvent_actorId_id_idx" ON "AuditEvent"("actorId", "id");

-- AlterTable
ALTER TABLE "AuditEvent" ADD COLUMN "network" TEXT;
UPDATE "AuditEvent" SET "network" = json_extract("detail", '$.network') WHERE "detail" LIKE '%"network":"%';

-- CreateIndex
CREATE INDEX "AuditEvent_action_id_idx" ON "AuditEvent"("action", "id");

-- CreateIndex
CREATE INDEX "AuditEvent_network_id_idx" ON "AuditEvent"("network", "id");

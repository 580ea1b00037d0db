-- AlterTable
ALTER TABLE "AuditEvent" ADD COLUMN     "network" TEXT;
-- Not as JSON, which refuses texts that PostgreSQL cannot store. No name of a network has a quote or a backslash.
UPDATE "AuditEvent" SET "network" = substring("detail" from '"network":"([^"\\]*)"')
WHERE "detail" LIKE '%"network":"%';

-- CreateIndex
CREATE INDEX "AuditEvent_action_id_idx" ON "AuditEvent"("action", "id");

-- CreateIndex
CREATE INDEX "AuditEvent_network_id_idx" ON "AuditEvent"("network", "id");

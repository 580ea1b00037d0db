-- CreateTable
CREATE TABLE "BlockedNetwork" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "network" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "since" DATETIME NOT NULL,
    "until" DATETIME,
    "actorId" TEXT NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "BlockedNetwork_network_key" ON "BlockedNetwork"("network");

-- CreateIndex
CREATE INDEX "BlockedNetwork_until_idx" ON "BlockedNetwork"("until");

-- CreateIndex
CREATE INDEX "Key_createdAt_id_idx" ON "Key"("createdAt", "id");

-- CreateIndex
CREATE INDEX "Key_creatorId_createdAt_id_idx" ON "Key"("creatorId", "createdAt", "id");

-- Names by how they begin, whatever their case. Prisma's models cannot say this.
CREATE INDEX "Key_by_name" ON "Key"(lower("name"), "id");

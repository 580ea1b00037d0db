-- CreateTable
CREATE TABLE "BlockedNetwork" (
    "id" BIGSERIAL NOT NULL,
    "network" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "until" TIMESTAMP(3),
    "actorId" TEXT NOT NULL,

    CONSTRAINT "BlockedNetwork_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "BlockedNetwork_network_key" ON "BlockedNetwork"("network");

-- CreateIndex
CREATE INDEX "BlockedNetwork_until_idx" ON "BlockedNetwork"("until");

-- CreateIndex
CREATE INDEX "Key_createdAt_id_idx" ON "Key"("createdAt", "id");

-- CreateIndex
CREATE INDEX "Key_creatorId_createdAt_id_idx" ON "Key"("creatorId", "createdAt", "id");

-- Names by how they begin, whatever their case, in an order that is the same in every locale. Prisma's models cannot say
-- this.
CREATE INDEX "Key_by_name" ON "Key"((lower("name") COLLATE "C"), "id");

-- The masks of before do not tell which letter they mask, so none can be kept: for the 15 minutes that the codes of
-- before can live, a new code may be one letter from one of them.
DROP TABLE "LinkMask";
CREATE TABLE "LinkMask" (
    "linkId" TEXT NOT NULL,
    "mask1" BIGINT NOT NULL,
    "mask2" BIGINT NOT NULL,
    "mask3" BIGINT NOT NULL,
    "mask4" BIGINT NOT NULL,
    "mask5" BIGINT NOT NULL,
    "mask6" BIGINT NOT NULL,
    CONSTRAINT "LinkMask_pkey" PRIMARY KEY ("linkId")
);
CREATE UNIQUE INDEX "LinkMask_mask1_key" ON "LinkMask"("mask1");
CREATE UNIQUE INDEX "LinkMask_mask2_key" ON "LinkMask"("mask2");
CREATE UNIQUE INDEX "LinkMask_mask3_key" ON "LinkMask"("mask3");
CREATE UNIQUE INDEX "LinkMask_mask4_key" ON "LinkMask"("mask4");
CREATE UNIQUE INDEX "LinkMask_mask5_key" ON "LinkMask"("mask5");
CREATE UNIQUE INDEX "LinkMask_mask6_key" ON "LinkMask"("mask6");
ALTER TABLE "LinkMask" ADD CONSTRAINT "LinkMask_linkId_fkey" FOREIGN KEY ("linkId") REFERENCES "LinkCode"("id") ON DELETE CASCADE ON UPDATE CASCADE;

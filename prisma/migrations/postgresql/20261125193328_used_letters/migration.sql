-- CreateTable
CREATE TABLE "UsedLetters" (
    "hash" BIGINT NOT NULL,
    "day" INTEGER NOT NULL,

    CONSTRAINT "UsedLetters_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "UsedLetters_day_idx" ON "UsedLetters"("day");

-- CreateTable
CREATE TABLE "UsedLetters" (
    "hash" BIGINT NOT NULL PRIMARY KEY,
    "day" INTEGER NOT NULL
);

-- CreateIndex
CREATE INDEX "UsedLetters_day_idx" ON "UsedLetters"("day");

-- CreateTable
CREATE TABLE "Statistic" (
    "span" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "signIns" INTEGER NOT NULL DEFAULT 0,
    "signUps" INTEGER NOT NULL DEFAULT 0,
    "asked" INTEGER NOT NULL DEFAULT 0,
    "linked" INTEGER NOT NULL DEFAULT 0,
    "denied" INTEGER NOT NULL DEFAULT 0,
    "expired" INTEGER NOT NULL DEFAULT 0,
    "users" INTEGER,
    "keys" INTEGER,
    "keyBytes" BIGINT,
    "fileBytes" BIGINT,

    CONSTRAINT "Statistic_pkey" PRIMARY KEY ("span","at")
);

-- CreateTable
CREATE TABLE "Refusal" (
    "span" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "limit" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "Refusal_pkey" PRIMARY KEY ("span","at","limit")
);

-- CreateTable
CREATE TABLE "StatisticsMark" (
    "id" TEXT NOT NULL,
    "eventId" BIGINT NOT NULL,
    "linksFrom" TIMESTAMP(3),
    "measuredAt" TIMESTAMP(3),

    CONSTRAINT "StatisticsMark_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Examination" (
    "id" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "refreshedAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    "findings" TEXT NOT NULL,

    CONSTRAINT "Examination_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "User_role_idx" ON "User"("role");

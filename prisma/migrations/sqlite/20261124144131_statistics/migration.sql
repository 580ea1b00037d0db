-- CreateTable
CREATE TABLE "Statistic" (
    "span" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
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

    PRIMARY KEY ("span", "at")
);

-- CreateTable
CREATE TABLE "Refusal" (
    "span" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "limit" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    PRIMARY KEY ("span", "at", "limit")
);

-- CreateTable
CREATE TABLE "StatisticsMark" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "eventId" BIGINT NOT NULL,
    "linksFrom" DATETIME,
    "measuredAt" DATETIME
);

-- CreateTable
CREATE TABLE "Examination" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "startedAt" DATETIME NOT NULL,
    "refreshedAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    "findings" TEXT NOT NULL
);

-- CreateIndex
CREATE INDEX "User_role_idx" ON "User"("role");

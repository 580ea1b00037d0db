-- CreateTable
CREATE TABLE "Measurement" (
    "at" TIMESTAMP(3) NOT NULL,
    "name" TEXT NOT NULL,
    "value" BIGINT NOT NULL,

    CONSTRAINT "Measurement_pkey" PRIMARY KEY ("at","name")
);

-- What hours have, as far as nothing changes it any more: of the others, what happened is counted again. Days are added
-- up from hours.
INSERT INTO "Measurement" ("at", "name", "value")
SELECT s."at", 'signIns', s."signIns" FROM "Statistic" s JOIN "StatisticsMark" m ON s."at" < m."linksFrom"
  WHERE s."span" = 'hour' AND s."signIns" > 0
UNION ALL SELECT s."at", 'signUps', s."signUps" FROM "Statistic" s JOIN "StatisticsMark" m ON s."at" < m."linksFrom"
  WHERE s."span" = 'hour' AND s."signUps" > 0
UNION ALL SELECT s."at", 'asked', s."asked" FROM "Statistic" s JOIN "StatisticsMark" m ON s."at" < m."linksFrom"
  WHERE s."span" = 'hour' AND s."asked" > 0
UNION ALL SELECT s."at", 'linked', s."linked" FROM "Statistic" s JOIN "StatisticsMark" m ON s."at" < m."linksFrom"
  WHERE s."span" = 'hour' AND s."linked" > 0
UNION ALL SELECT s."at", 'denied', s."denied" FROM "Statistic" s JOIN "StatisticsMark" m ON s."at" < m."linksFrom"
  WHERE s."span" = 'hour' AND s."denied" > 0
UNION ALL SELECT s."at", 'expired', s."expired" FROM "Statistic" s JOIN "StatisticsMark" m ON s."at" < m."linksFrom"
  WHERE s."span" = 'hour' AND s."expired" > 0
UNION ALL SELECT "at", 'users', "users" FROM "Statistic" WHERE "span" = 'hour' AND "users" IS NOT NULL
UNION ALL SELECT "at", 'keys', "keys" FROM "Statistic" WHERE "span" = 'hour' AND "keys" IS NOT NULL
UNION ALL SELECT "at", 'keyBytes', "keyBytes" FROM "Statistic" WHERE "span" = 'hour' AND "keyBytes" IS NOT NULL
UNION ALL SELECT "at", 'fileBytes', "fileBytes" FROM "Statistic" WHERE "span" = 'hour' AND "fileBytes" IS NOT NULL
UNION ALL SELECT "at", 'refused by ' || "limit", "count" FROM "Refusal" WHERE "span" = 'hour'
UNION ALL SELECT "sweptAt", 'users counted', 0 FROM "UserSummarySweep" WHERE "filledTo" IS NULL AND "sweptAt" IS NOT NULL;

-- DropTable
DROP TABLE "UserSummarySweep";

-- DropTable
DROP TABLE "Statistic";

-- DropTable
DROP TABLE "Refusal";

-- DropTable
DROP TABLE "StatisticsMark";

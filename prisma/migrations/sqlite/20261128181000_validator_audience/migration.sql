-- AlterTable
ALTER TABLE "AccessToken" ADD COLUMN "audiences" TEXT;
ALTER TABLE "AccessToken" ADD COLUMN "party" TEXT;

-- AlterTable
ALTER TABLE "LinkCode" ADD COLUMN "audience" TEXT;

-- What was approved as less than everything was said to be able to read, or to know who its user is: to prove that, too,
-- but to its own site or by its own name. Of a token whose link is no longer stored, this is the token's name.
UPDATE "AccessToken" SET "party" = l."webPage", "audiences" =
  CASE WHEN l."webPage" LIKE 'https://%' THEN l."webPage" || '
' || substr(l."webPage", 9) ELSE l."webPage" END
FROM "LinkCode" l
WHERE l."id" = "AccessToken"."id" AND "AccessToken"."access" <> 'everything' AND l."webPage" LIKE '%://%'
  AND l."webPage" NOT LIKE '...%';
UPDATE "AccessToken" SET "audiences" = l."name"
FROM "LinkCode" l
WHERE l."id" = "AccessToken"."id" AND "AccessToken"."access" <> 'everything' AND l."webPage" IS NULL
  AND l."name" IS NOT NULL;

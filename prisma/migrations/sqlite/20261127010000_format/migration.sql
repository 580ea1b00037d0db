-- CreateTable
CREATE TABLE "Format" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "number" INTEGER NOT NULL
);

INSERT INTO "Format" ("id", "number") VALUES (1, 1);

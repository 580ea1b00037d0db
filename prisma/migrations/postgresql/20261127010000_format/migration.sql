-- CreateTable
CREATE TABLE "Format" (
    "id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,

    CONSTRAINT "Format_pkey" PRIMARY KEY ("id")
);

INSERT INTO "Format" ("id", "number") VALUES (1, 1);

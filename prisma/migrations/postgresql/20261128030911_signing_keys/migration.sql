-- CreateTable
CREATE TABLE "SigningKey" (
    "number" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SigningKey_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "Secret" (
    "fingerprint" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Secret_pkey" PRIMARY KEY ("fingerprint")
);

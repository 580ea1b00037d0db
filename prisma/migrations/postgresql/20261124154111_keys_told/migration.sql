-- CreateTable
CREATE TABLE "KeysTold" (
    "userId" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "KeysTold_pkey" PRIMARY KEY ("userId")
);

-- AddForeignKey
ALTER TABLE "KeysTold" ADD CONSTRAINT "KeysTold_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

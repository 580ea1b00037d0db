-- Counters may be forgotten in a crash, so counting need not wait for the disk while it holds the row that a whole network counts in.
ALTER TABLE "RateLimit" SET UNLOGGED;

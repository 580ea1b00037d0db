import { Prisma } from "../db/client";
import { integer, rowShape, sqlChange } from "../db/statement";

const result = rowShape({ r: "RequestResult" }, { fingerprint: "r.fingerprint", result: "r.result", at: "r.at" });
/** What a request of this user came to. */
export const storedResult = (userId: string, idHash: string) => result.from`
  "RequestResult" r WHERE r."userId" = ${userId} AND r."idHash" = ${idHash}`;

const results = rowShape({}, { total: integer("count(*)") });
export const resultsOf = (userId: string) => results.from`"RequestResult" r WHERE r."userId" = ${userId}`;

const deleteSome = (some: Prisma.Sql, limit: number) => sqlChange`
  DELETE FROM "RequestResult" WHERE ("userId", "idHash") IN (
    SELECT r."userId", r."idHash" FROM "RequestResult" r WHERE ${some} LIMIT ${limit})`;

export const deleteResults = (userId: string, limit: number) => deleteSome(Prisma.sql`r."userId" = ${userId}`, limit);
export const deleteResultsBefore = (at: Date, limit: number) => deleteSome(Prisma.sql`r."at" <= ${at}`, limit);

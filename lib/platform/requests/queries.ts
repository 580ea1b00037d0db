import { integer, rowShape } from "../db/statement";

const result = rowShape({ r: "RequestResult" }, { fingerprint: "r.fingerprint", result: "r.result", at: "r.at" });
/** What a request of this user came to. */
export const storedResult = (userId: string, idHash: string) => result.from`
  "RequestResult" r WHERE r."userId" = ${userId} AND r."idHash" = ${idHash}`;

const results = rowShape({}, { total: integer("count(*)") });
export const resultsOf = (userId: string) => results.from`"RequestResult" r WHERE r."userId" = ${userId}`;

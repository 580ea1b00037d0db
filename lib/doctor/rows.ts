import { integer, rowShape } from "@/lib/db/statement";

const clock = rowShape({}, { ms: integer("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)") });
/** PostgreSQL's clock, in Unix milliseconds. */
export const serverClock = () => clock.from`(SELECT 1) AS one`;

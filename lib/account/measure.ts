import { db } from "@/lib/db/client";
import { countLinkStates } from "@/lib/link/states";
import { gauge } from "@/lib/metrics";

/** Declares what is read from the database each time that the metrics are asked for. */
export function measureStored(): void {
  gauge("latchkey_link_requests", "Requests of the last ten minutes to link a program, by state", ["state"], async () =>
    Object.entries(await countLinkStates()).map(([state, count]) => [{ state }, count]),
  );
  gauge("latchkey_stored_bytes", "Bytes that users have stored, as their quotas count them", ["in"], async () => [
    [{ in: "keys" }, await keyBytes()],
    [{ in: "files" }, await fileBytes()],
  ]);
  gauge("latchkey_users", "Accounts", [], async () => [[{}, await db.user.count()]]);
}

async function keyBytes(): Promise<number> {
  const { _sum } = await db.key.aggregate({ _sum: { dataBytes: true } });
  return _sum.dataBytes ?? 0;
}

async function fileBytes(): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: bigint | number | null }[]>`
    SELECT CAST(SUM(v."plainLength") AS BIGINT) AS "bytes" FROM "FileDocument" d
    JOIN "FileVersion" v ON v."userId" = d."userId" AND v."version" = d."version"`;
  return Number(row?.bytes ?? 0);
}

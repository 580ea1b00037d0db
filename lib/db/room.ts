import { randomUUID } from "node:crypto";
import { sql } from "./client";
import { isStorageFull } from "./errors";
import { insert } from "./insert";
import { sqlChange } from "./statement";

/** As many bytes as the data of a key may have (contract, section 2: data). */
const TRIED_BYTES = 65_536;

/** Whether the database has room for a change: stores as much as a key needs, and removes it. Throws other errors. */
export async function hasRoom(now = new Date()): Promise<boolean> {
  const id = `room ${randomUUID()}`;
  const row = { id, startedAt: now, refreshedAt: now, endedAt: null, findings: "x".repeat(TRIED_BYTES) };
  try {
    // In one transaction, so that nobody sees it.
    await sql.write(async (tx) => {
      await tx.write(insert("Examination", row));
      await tx.write(sqlChange`DELETE FROM "Examination" WHERE "id" = ${id}`);
    });
    return true;
  } catch (error) {
    if (isStorageFull(error)) return false;
    throw error;
  }
}

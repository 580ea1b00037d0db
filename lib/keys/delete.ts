import { audit } from "@/lib/audit";
import { transaction } from "@/lib/db/client";
import { keyNotFound } from "@/lib/errors";
import { type KeyRow, mustManage, type Viewer } from "./find";

/** Deletes a key for everybody who holds it. Throws 403 `not_creator`, 404 `key_not_found` when it went meanwhile. */
export async function deleteKey(viewer: Viewer, row: KeyRow): Promise<void> {
  mustManage(viewer, row);
  await transaction(async (tx) => {
    const { count } = await tx.key.deleteMany({ where: { id: row.id } });
    if (count === 0) throw keyNotFound();
    await audit({ at: new Date(), action: "key.delete", subjectId: row.id, actorId: viewer.id, detail: { name: row.name } }, tx);
  });
}

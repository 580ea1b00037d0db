import { db } from "@/lib/db/client";
import { unwrapDataKey, wrapDataKey } from "./data-keys";

/** Stores every data key under the first secret. Throws if no secret opens one. */
export async function rewrapDataKeys(): Promise<void> {
  for (const { id, wrapped } of await db.dataKey.findMany({ select: { id: true, wrapped: true } })) {
    const rewrapped = wrapDataKey(id, unwrapDataKey({ id, wrapped }));
    await db.dataKey.updateMany({ where: { id, wrapped }, data: { wrapped: rewrapped } });
  }
}
